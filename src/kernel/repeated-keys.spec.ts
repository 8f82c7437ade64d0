import { describe, expect, it } from '@jest/globals';
import { countMembers, withoutRepeatedKeys } from './repeated-keys.js';

const once = (json: string): string => withoutRepeatedKeys(Buffer.from(json)).toString();

describe('a repeated key', () => {
  it.each([
    ['{"a":1,"a":2}', '{"a":2}'],
    ['{ "a" : 1 , "b" : 2 , "a" : 3 }', '{ "b" : 2 , "a" : 3 }'],
    ['{"a":1,"a":2,"a":3}', '{"a":3}'],
    ['{"a":{"b":1,"b":2},"a":{"c":[1,{"d":1,"d":2}]}}', '{"a":{"c":[1,{"d":2}]}}'],
    [String.raw`{"a":1,"\u0061":2}`, String.raw`{"\u0061":2}`],
    ['{"a":"{\\"a\\":1,\\"a\\":2}","b":[["a","a"]]}', '{"a":"{\\"a\\":1,\\"a\\":2}","b":[["a","a"]]}'],
    ['{"__proto__":1,"__proto__":9007199254740993}', '{"__proto__":9007199254740993}'],
  ])('%s counts with its last value: %s', (json, expected) => {
    expect(once(json)).toBe(expected);
    expect(JSON.parse(expected)).toEqual(JSON.parse(json));
  });

  it('a missing key leaves the buffer as it is', () => {
    const bytes = Buffer.from('{"a":[{"a":1},{"a":2}],"b":{"a":3}}');
    expect(withoutRepeatedKeys(bytes)).toBe(bytes);
  });

  it('makes an object of fewer members than its text has colons', () => {
    expect(countMembers(JSON.parse('{"a":[{"b":1},null,[{"c":{}}]],"__proto__":{"d":1}}') as object)).toBe(5);
    expect(countMembers(JSON.parse('{"a":1,"a":2}') as object)).toBe(1);
  });
});
