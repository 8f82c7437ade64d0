import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { brokenTexts, withoutHalfSurrogates } from './half-surrogates.js';

const repaired = (json: string): string => withoutHalfSurrogates(Buffer.from(json)).toString();

describe('half surrogates in JSON', () => {
  it.each([
    [String.raw`"cut \ud83d"`, String.raw`"cut \ufffd"`],
    [String.raw`"\uDE00 first"`, String.raw`"\ufffd first"`],
    [String.raw`"\ud83d\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    [String.raw`"\ude00\ud83d"`, String.raw`"\ufffd\ufffd"`],
    [String.raw`"\ud83d \ude00"`, String.raw`"\ufffd \ufffd"`],
    [String.raw`{"\udc00":1}`, String.raw`{"\ufffd":1}`],
  ])('%s becomes %s', (json, expected) => {
    expect(repaired(json)).toBe(expected);
  });

  it.each([
    '{"a":"plain"}',
    String.raw`"\ud83d\ude00 and \uD83D\uDE00"`,
    String.raw`"a path C:\\ud83d"`,
    String.raw`"\ud7ff \ue000 \\\\ud800"`,
    '"\u{1f600}"',
  ])('%s stays the same buffer', (json) => {
    const bytes = Buffer.from(json);
    expect(withoutHalfSurrogates(bytes)).toBe(bytes);
  });

  it('are replaced as a decoder of UTF-8 would, in any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\ud83d', '\ude00', '\\', 'ud83d', '"', 'x')), (parts) => {
        const text = parts.join('');
        expect(JSON.parse(repaired(JSON.stringify(text)))).toBe(Buffer.from(text).toString());
      }),
    );
  });

  it('are found by their paths, as many as wanted', () => {
    const request = { messages: [{ content: 'fine' }, { content: [{ text: '\ud83d' }] }], user: '\udc00', '\udc00': 1 };
    expect(brokenTexts(request, 9)).toEqual(['messages[1].content[0].text', 'user', '']);
    expect(brokenTexts(request, 1)).toHaveLength(1);
  });
});
