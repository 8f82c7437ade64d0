import { describe, expect, it } from '@jest/globals';
import { filterRows, sortOrderOf, sortRows, sortText } from './sort-rows';

const self = <Value>(value: Value): Value => value;

describe('sortRows', () => {
  it('sorts names in natural order', () => {
    expect(sortRows(['node-10', 'Node-2', 'node-1'], self, false)).toEqual(['node-1', 'Node-2', 'node-10']);
  });

  it('puts unknown values last in either direction', () => {
    expect(sortRows([null, 2, undefined, 10], self, false)).toEqual([2, 10, null, undefined]);
    expect(sortRows([null, 2, undefined, 10], self, true)).toEqual([10, 2, null, undefined]);
  });

  it('keeps the order of equal rows', () => {
    const rows = [
      { id: 1, size: 5 },
      { id: 2, size: 5 },
    ];
    expect(sortRows(rows, ({ size }) => size, true)).toEqual(rows);
  });
});

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
