import { describe, expect, it } from '@jest/globals';
import { parseSearch, stringifySearch } from './page-search';

describe('search parameters', () => {
  it('search parameters stay text, whatever they look like', () => {
    const search = { q: '12', sort: '-name', flag: 'true', odd: '{"a":1}&=' };
    expect(parseSearch(stringifySearch(search))).toEqual(search);
  });

  it('search parameters are omitted when they are empty', () => {
    expect(stringifySearch({ q: '', sort: undefined, page: 3 })).toBe('');
  });
});
