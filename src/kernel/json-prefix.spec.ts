import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { beginsObject } from './json-prefix.js';

describe('beginsObject', () => {
  it('is true for every beginning of every object', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue()).chain((value) => {
      const whole = JSON.stringify(value);
      return fc.nat(whole.length).map((end) => whole.slice(0, end));
    });
    fc.assert(fc.property(object, (text) => beginsObject(text)));
  });

  it.each([
    '',
    ' ',
    '{',
    '{ "a" : [1, -2.5e+3, tru',
    '{"a\\',
    '{"a\\u00',
    '{"{":{}}',
    '{"a":[]} ',
    '{"a":{"b":[{},[]]},"c":nul',
  ])('is true for %j', (text) => {
    expect(beginsObject(text)).toBe(true);
  });

  it.each([
    '[',
    '"a"',
    '1',
    '}',
    '{{',
    '{"{"a',
    '{"a"{',
    '{"a":1,{',
    '{"a":1{',
    '{"a":}',
    '{"a":1,}x',
    '{,',
    '{"a":[1}',
    '{"a":[,',
    '{}{',
    '{"a":1} {',
    "{'a",
    '{"a":"b"c',
  ])('is false for %j', (text) => {
    expect(beginsObject(text)).toBe(false);
  });
});
