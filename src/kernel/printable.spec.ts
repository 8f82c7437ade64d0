import { describe, expect, it } from '@jest/globals';
import { printable } from './printable.js';

describe('printable', () => {
  it.each([
    ['plain text', 'Llama 3.2 (1B) ünïcode 模型', 'Llama 3.2 (1B) ünïcode 模型'],
    ['terminal sequences', '\u001b[31mred\u001b[0m', '[31mred[0m'],
    ['line breaks of every kind', 'a\r\nb\u2028c\u2029d\u0085e', 'abcde'],
    ['text that runs the other way', 'abc\u202egnp.exe', 'abcgnp.exe'],
    ['invisible characters', 'a\u200bb\ufeffc', 'abc'],
    ['half a character', 'a\ud800b', 'ab'],
    ['blanks around', '  a b  ', 'a b'],
  ])('keeps printable characters only: %s', (_name, text, shown) => {
    expect(printable(text, 'unnamed')).toBe(shown);
  });

  it('falls back when nothing is left', () => {
    expect(printable('\u0000\u200b ', 'unnamed')).toBe('unnamed');
  });
});
