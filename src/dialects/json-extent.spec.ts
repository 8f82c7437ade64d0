import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonExtent } from './json-extent.js';

const isComplete = (...pieces: string[]): boolean => {
  const extent = new JsonExtent();
  for (const piece of pieces) extent.push(piece);
  return extent.complete;
};

test.each<[string, readonly string[], boolean]>([
  ['nothing', [], false],
  ['an empty object', ['{}'], true],
  ['an open object', ['{"a":', '1'], false],
  ['an object in pieces', ['{"a":', '{"b":[', ']}', '}'], true],
  ['braces inside a text', ['{"a":"}"'], false],
  ['quotes inside a text', ['{"a":"\\"}"', '}'], true],
  ['an escape cut in two', ['{"a":"\\', '"}'], false],
  ['no object at all', ['"a"'], false],
])('%s', (_, pieces, complete) => {
  expect(isComplete(...pieces)).toBe(complete);
});

test('an object is complete at its last character, and not before', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);
      expect(isComplete(text)).toBe(true);
      expect(isComplete(text.slice(0, -1))).toBe(false);
    }),
  );
});
