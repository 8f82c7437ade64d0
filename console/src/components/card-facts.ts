import type { Column } from './data-table.types';

/** More than these in two columns would make a card as high as a page. */
const MOST_IN_PAIRS = 5;

export interface CardFacts {
  /** In one line of the grid. */
  readonly perLine: 2 | 3;
  /** Of three, the column that has a line of its own, so that the others are a pair; undefined: none. */
  readonly wide: string | undefined;
}

/** How the facts of a card stand in its grid: the same in every card of a table. */
export function cardFacts<Row>(columns: readonly Column<Row>[]): CardFacts {
  const facts = columns.filter(({ heading, card }) => heading !== true && card === undefined);
  if (facts.length > MOST_IN_PAIRS) return { perLine: 3, wide: undefined };
  return { perLine: 2, wide: facts.length === 3 ? facts[2]?.id : undefined };
}
