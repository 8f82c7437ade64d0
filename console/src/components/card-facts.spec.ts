import { describe, expect, it } from '@jest/globals';
import { cardFacts } from './card-facts';
import type { Column } from './data-table.types';

const column = (id: string, rest: Partial<Column<object>> = {}): Column<object> => ({
  id,
  header: id,
  cell: () => id,
  ...rest,
});

const name = column('name', { heading: true });
const facts = (count: number) => Array.from({ length: count }, (_, index) => column(`fact ${index}`));

describe('cardFacts', () => {
  it('puts an even number of facts in pairs', () => {
    expect(cardFacts([name, ...facts(4)])).toEqual({ perLine: 2, wide: undefined });
  });

  it('gives the last of three a line of its own', () => {
    expect(cardFacts([name, ...facts(3)])).toEqual({ perLine: 2, wide: 'fact 2' });
  });

  it('leaves the last of five alone: the first two are of one kind', () => {
    expect(cardFacts([name, ...facts(5)])).toEqual({ perLine: 2, wide: undefined });
  });

  it('puts three of many in a line', () => {
    expect(cardFacts([name, ...facts(8)])).toEqual({ perLine: 3, wide: undefined });
  });

  it('does not count what has another place in a card', () => {
    const others = [
      column('menu', { card: 'corner' }),
      column('role', { card: 'line' }),
      column('id', { card: 'none' }),
    ];
    expect(cardFacts([name, ...others, ...facts(2)])).toEqual({ perLine: 2, wide: undefined });
  });
});
