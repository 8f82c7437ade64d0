import { describe, expect, it } from '@jest/globals';
import { filterRows, sortOrderOf, sortText } from './sort-rows';

const self = <Value>(value: Value): Value => value;

describe('the sort order of the URL', () => {
  it.each(['name', '-last'])('reads and writes %s', (text) => {
    const order = sortOrderOf(text);
    expect(order && sortText(order)).toBe(text);
  });

  it('the sort order of the URL may be absent', () => expect(sortOrderOf('')).toBeUndefined());
});

describe('filterRows', () => {
  const rows = ['studio qwen3:8b', 'vm', 'laptop qwen3:8b'];
  it('requires every word and excludes words after a minus', () => {
    expect(filterRows(rows, 'QWEN3 lap', self)).toEqual(['laptop qwen3:8b']);
    expect(filterRows(rows, 'qwen3 -studio', self)).toEqual(['laptop qwen3:8b']);
    expect(filterRows(rows, '  ', self)).toBe(rows);
  });
});
