import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextScanner } from './text-scanner.js';

const scan = (needles: readonly string[], chunks: readonly string[]) => {
  const scanner = new TextScanner(needles);
  let shown = '';
  for (const [index, chunk] of chunks.entries()) {
    const { text, hit } = scanner.push(chunk);
    shown += text;
    if (hit !== undefined) return { shown, needle: hit.needle, rest: hit.rest + chunks.slice(index + 1).join('') };
  }
  return { shown: shown + scanner.flush() };
};

describe('text scanner', () => {
  it('passes text without a needle prefix on at once', () => {
    expect(new TextScanner(['STOP']).push('hello')).toEqual({ text: 'hello' });
  });

  it('holds back only possible needle prefixes', () => {
    const scanner = new TextScanner(['<tool_call>', '</s>']);
    expect(scanner.push('a <')).toEqual({ text: 'a ' });
    expect(scanner.push('to')).toEqual({ text: '' });
    expect(scanner.push('p')).toEqual({ text: '<top' });
    expect(scanner.push('</')).toEqual({ text: '' });
    expect(scanner.flush()).toBe('</');
  });

  it('finds the needle that completes first, and the longest of those', () => {
    expect(scan(['b', 'abc', 'ab'], ['xabcd'])).toEqual({ shown: 'x', needle: 'ab', rest: 'cd' });
  });

  it('finds a needle that overlaps with its own beginning', () => {
    expect(scan(['aab'], ['a', 'a', 'a', 'b', '!'])).toEqual({ shown: 'a', needle: 'aab', rest: '!' });
  });

  it('finds the same wherever the text is split', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
    fc.assert(
      fc.property(
        letters,
        fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 }), { maxLength: 3 }),
        (text, needles) => {
          const split = scan(needles, Array.from(text));
          expect(split).toEqual(scan(needles, [text]));
          expect(needles.some((needle) => split.shown.includes(needle))).toBe(false);
        },
      ),
    );
  });
});
