import { describe, expect, it } from '@jest/globals';
import { wholeId } from './whole-id.js';

const ids = ['req_0a11', 'req_0a22', 'req_0b33'];

describe('a part of an id', () => {
  it.each([
    ['req_0b33', 'req_0b33'],
    ['…b33', 'req_0b33'],
    ['B33', 'req_0b33'],
    // It may be too old to be listed: the relay says so.
    ['0c', '0c'],
    ['', ''],
  ])('%j is %j', (given, whole) => {
    expect(wholeId(ids, given, 'requests')).toBe(whole);
  });

  it('a part of an id that several have is refused, with those that have it', () => {
    expect(() => wholeId(ids, '0a', 'requests')).toThrow('2 requests have 0a in their id: req_0a11, req_0a22');
    expect(() => wholeId(Array<string>(6).fill('req_0a'), '0a', 'jobs')).toThrow(/^6 jobs have .*, and 2 more$/);
  });
});
