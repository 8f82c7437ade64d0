import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InputText } from './input-text.js';

function read(chunks: readonly string[]): { streamed: string; text: string } {
  const input = new InputText();
  const streamed = chunks.map((chunk) => input.push(chunk)).join('') + input.end();
  return { streamed, text: input.text };
}

/** Cuts a text at random places. */
const inChunks = (text: string): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.nat(text.length), { maxLength: 20 }).map((cuts) => {
    const places = [0, ...cuts.sort((a, b) => a - b), text.length];
    return places.slice(1).map((end, index) => text.slice(places[index], end));
  });

describe('the input of a custom tool', () => {
  test.each<[string, string, string]>([
    ['a text', '{"input":"abc"}', 'abc'],
    ['with spaces', ' {\n "input" : "abc" }', 'abc'],
    ['empty', '{"input":""}', ''],
    [
      'with every escape',
      '{"input":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\ud83d\\ude00"}',
      '"\\/\b\f\n\r\täF'.replace('F', '\u{1F600}'),
    ],
    ['that is cut', '{"input":"abc', 'abc'],
    ['behind another field', '{"note":1,"input":"abc"}', 'abc'],
    ['that is no text', '{"input":5}', '{"input":5}'],
    ['under the name that the model knows', '{"patch":"*** Begin\\n*** End"}', '*** Begin\n*** End'],
    ['among several texts', '{"cmd":"x","patch":"y"}', '{"cmd":"x","patch":"y"}'],
    ['that is one member and no text', '{"patch":["a"]}', '{"patch":["a"]}'],
    ['in no member', '{}', '{}'],
    ['of a model that knows no JSON', '*** Begin Patch', '*** Begin Patch'],
    ['in JSON that is none', '{"input" "abc"}', '{"input" "abc"}'],
    ['nothing', '', ''],
    ['with something behind it', '{"input":"abc"} and more', 'abc'],
  ])('%s', (_, text, expected) => {
    expect(read([text])).toEqual({ streamed: expected, text: expected });
  });

  test('the input of a custom tool does not depend on how its arguments are split', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.constantFrom('\\', '"', '\n\\"', '\u{1F600}'),
    );
    const written = texts.chain((text) => fc.tuple(fc.constant(text), inChunks(JSON.stringify({ input: text }))));
    fc.assert(
      fc.property(written, ([text, chunks]) => {
        expect(read(chunks)).toEqual({ streamed: text, text });
      }),
    );
  });

  test('never throws, and returns the input so far', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('{"input":"', '\\u', '\\', '"', '}'))), (chunks) => {
        const { streamed, text } = read(chunks);
        expect(streamed).toBe(text);
      }),
    );
  });
});

test('half a surrogate pair is never passed on', () => {
  const input = new InputText();
  const chunks = [String.raw`{"input":"a\ud83d`, String.raw`\ude00b\ud83d`, 'c', String.raw`\ud83d`, '"}'];
  const streamed = chunks.map((chunk) => input.push(chunk));
  expect([...streamed, input.end()]).toEqual(['a', '😀b', '\ufffdc', '', '\ufffd', '']);
  expect(input.text).toBe('a😀b\ufffdc\ufffd');
});

test('half a surrogate pair at the end of a cut input is U+FFFD', () => {
  expect(read([String.raw`{"input":"a\ud83d`])).toEqual({ streamed: 'a\ufffd', text: 'a\ufffd' });
});
