import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { JsonEndScanner } from './json-end-scanner.js';

const isComplete = (...chunks: string[]): boolean => {
  const scanner = new JsonEndScanner();
  for (const chunk of chunks) scanner.push(chunk);
  return scanner.complete;
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
])('%s', (_, chunks, complete) => {
  expect(isComplete(...chunks)).toBe(complete);
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

test('a string counts only where it is accepted', () => {
  expect(new JsonEndScanner(true).push('"a\\"" rest')).toBe(5);
  expect(new JsonEndScanner().push('"a\\"" rest')).toBeUndefined();
});

test('reports where the value ends, and ignores the rest', () => {
  const scanner = new JsonEndScanner();
  expect(scanner.push('{"a":[1]')).toBeUndefined();
  expect(scanner.push('}{')).toBe(1);
  expect(scanner.push('{')).toBe(0);
  expect(scanner.complete).toBe(true);
});
