import { describe, expect, it } from '@jest/globals';
import { codeParts } from './code-parts';

/** Code in angle brackets. */
const marked = (text: string): string =>
  codeParts(text)
    .map((part) => (part.isCode ? `<${part.text}>` : part.text))
    .join('');

describe('codeParts', () => {
  it.each([
    ['Start it; `ferry node doctor` there shows more.', 'Start it; <ferry node doctor> there shows more.'],
    ['`a` and `b`', '<a> and <b>'],
    ['no code', 'no code'],
    ['one ` alone', 'one ` alone'],
    ['`a` and ` alone', '<a> and ` alone'],
    ['empty `` code', 'empty  code'],
    ['', ''],
  ])('of %j are %j', (text, parts) => {
    expect(marked(text)).toBe(parts);
  });
});
