import { describe, expect, it } from '@jest/globals';
import { factsPerLine, loneFact } from './card-facts';
import type { Column } from './data-table.types';

const column = (id: string, rest: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  ...rest,
});

const name = column('name', { heading: true });
const facts = (count: number) => Array.from({ length: count }, (_, index) => column(`fact ${index}`));
const all = (): boolean => true;

describe('the facts of a card', () => {
  it('stand in pairs, many of them in threes', () => {
    expect([4, 5, 6, 8].map((count) => factsPerLine([name, ...facts(count)]))).toEqual([2, 2, 3, 3]);
  });

  it('leave no last one in half of a line', () => {
    const loneOf = (count: number, perLine: number) => loneFact([name, ...facts(count)], all, perLine);
    expect([1, 2, 3, 4, 5].map((count) => loneOf(count, 2))).toEqual([
      'fact 0',
      undefined,
      'fact 2',
      undefined,
      'fact 4',
    ]);
    expect([6, 7, 8].map((count) => loneOf(count, 3))).toEqual([undefined, 'fact 6', undefined]);
  });

  it('are counted without those that this card does not have', () => {
    expect(loneFact([name, ...facts(4)], (id) => id !== 'fact 1', 2)).toBe('fact 3');
    expect(loneFact([name, ...facts(4)], (id) => id === 'fact 1', 2)).toBe('fact 1');
    expect(loneFact([name, ...facts(3)], (id) => id !== 'fact 2', 2)).toBeUndefined();
  });

  it('are counted without what has another place in a card', () => {
    const others = [
      column('menu', { card: 'corner' }),
      column('role', { card: 'line' }),
      column('id', { card: 'none' }),
    ];
    expect(factsPerLine([name, ...others, ...facts(5)])).toBe(2);
    expect(loneFact([name, ...others, ...facts(2)], all, 2)).toBeUndefined();
  });
});
