import { describe, expect, it } from '@jest/globals';
import { shortTokensText, tokensText } from './request-tokens';

describe('the tokens of a request', () => {
  it.each([
    ['engine', 21, 40, '21 / 40'],
    // An engine may say that there were none.
    ['engine', 0, 0, '0 / 0'],
    ['counted', 0, 3, '– / 3'],
    ['counted', 9, 0, '9 / 0'],
    ['estimated', 0, 7, '– / 7'],
    ['estimated', 0, 0, '–'],
    [null, 0, 0, '–'],
  ] as const)('counted by %s, %d in and %d out, are %s', (source, input_tokens, output_tokens, both) => {
    expect(tokensText({ source, input_tokens, output_tokens })).toBe(both);
  });

  it.each([
    ['engine', 11_503, 750, '11.5K in · 750 out'],
    ['counted', 0, 3, '3 out'],
    [null, 0, 0, ''],
  ] as const)('counted by %s, %d in and %d out, are in short %j', (source, input_tokens, output_tokens, text) => {
    expect(shortTokensText({ source, input_tokens, output_tokens })).toBe(text);
  });
});
