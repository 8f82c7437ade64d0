import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replaceHalfEscapes, wellFormed } from './well-formed-text.js';

const repaired = (text: string): string => replaceHalfEscapes(Buffer.from(text)).toString();

describe('half surrogate pairs in JSON', () => {
  it.each([
    ['a first half', String.raw`{"a":"x \ud83d y"}`, String.raw`{"a":"x \ufffd y"}`],
    ['a second half', String.raw`{"a":"\uDC00"}`, String.raw`{"a":"\ufffd"}`],
    ['two first halves before a second one', String.raw`["\ud83d\ud83d\ude00"]`, String.raw`["\ufffd\ud83d\ude00"]`],
    ['a half before another escape', String.raw`["\ud83d\n"]`, String.raw`["\ufffd\n"]`],
    ['a half in a key', String.raw`{"\udfff":1}`, String.raw`{"\ufffd":1}`],
    ['a half behind a backslash', String.raw`["\\\ud83d"]`, String.raw`["\\\ufffd"]`],
  ])('%s is replaced, and no other byte', (_what, text, expected) => {
    expect(repaired(text)).toBe(expected);
  });

  it.each([
    ['a pair', String.raw`["\ud83d\ude00"]`],
    ['a backslash and letters', String.raw`["\\ud83d"]`],
    ['no escape', '["😀"]'],
  ])('%s stays, in the same buffer', (_what, text) => {
    const body = Buffer.from(text);
    expect(replaceHalfEscapes(body)).toBe(body);
    expect(body.toString()).toBe(text);
  });

  it('half surrogate pairs in JSON are what a parser would read as U+FFFD, in any JSON', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: fc.integer({ min: 0xd7f0, max: 0xe00f }).map((unit) => String.fromCharCode(unit)) }),
        ),
        (texts) => {
          const body = Buffer.from(JSON.stringify(texts));
          expect(JSON.parse(replaceHalfEscapes(body).toString())).toEqual(texts.map((text) => text.toWellFormed()));
        },
      ),
    );
  });
});

describe('half surrogate pairs in a value', () => {
  it('half surrogate pairs in a value are replaced in texts and keys at any depth', () => {
    expect(wellFormed({ a: ['x\ud83d', { '\udc00': 'y' }], b: 1, c: null })).toEqual({
      a: ['x\ufffd', { '\ufffd': 'y' }],
      b: 1,
      c: null,
    });
  });

  it('half surrogate pairs in a value are looked for without copying', () => {
    const value = { a: ['😀', { b: 'y' }] };
    expect(wellFormed(value)).toBe(value);
  });
});
