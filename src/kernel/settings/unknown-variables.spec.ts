import { describe, expect, it } from '@jest/globals';
import { integer, optionalText, setting } from './setting.js';
import { unknownVariables, unknownVariableText } from './unknown-variables.js';

const table = {
  queueTimeoutMs: setting('FERRY_QUEUE_TIMEOUT_MS', integer(0, 10), '1', ''),
  logLevel: setting('FERRY_LOG_LEVEL', optionalText, undefined, ''),
};
const suggestionFor = (variable: string) => unknownVariables({ [variable]: '1' }, [table])[0]?.suggestion;

describe('unknown variables', () => {
  it('unknown variables are those with the prefix that nothing reads', () => {
    const env = { FERRY_LOG_LEVEL: 'info', FERRY_DATA_DIR: '/data', PATH: '/bin', FERRY_TEST_X: '1', FERRY_ZEBRA: '1' };
    expect(unknownVariables(env, [table])).toEqual([{ variable: 'FERRY_ZEBRA', suggestion: undefined }]);
  });

  it.each([
    ['FERRY_LOGLEVEL', 'FERRY_LOG_LEVEL'],
    ['FERRY_QUEUE_TIMEOUT', 'FERRY_QUEUE_TIMEOUT_MS'],
    ['FERRY_QEUE_TIMEOUT_MS', 'FERRY_QUEUE_TIMEOUT_MS'],
  ])('such as %s come with the setting that was meant', (variable, meant) => {
    expect(suggestionFor(variable)).toBe(meant);
    expect(unknownVariableText({ variable, suggestion: meant })).toBe(
      `${variable} is not a setting. Did you mean ${meant}?`,
    );
  });

  it('unknown variables come without a suggestion when only the prefix is alike', () => {
    expect(suggestionFor('FERRY_COLOUR')).toBeUndefined();
  });
});
