import type { Column } from './data-table.types';

/** More than these in two columns would make a card as high as a page. */
const MOST_IN_PAIRS = 5;

/** Whether a card shows it in its grid of facts. */
const isFact = <Row>({ heading, card }: Column<Row>): boolean => heading !== true && card === undefined;

/** How many facts stand in one line of the grid: the same in every card of a table. */
export const factsPerLine = <Row>(columns: readonly Column<Row>[]): 2 | 3 =>
  columns.filter((column) => isFact(column)).length > MOST_IN_PAIRS ? 3 : 2;

/**
 * The fact that would be alone in the last line of a card's grid, and has that line to itself: it is not cut where half of the line is empty.
 * @param isShown whether this card has the fact @returns its column; undefined: none is alone
 */
export function loneFact<Row>(
  columns: readonly Column<Row>[],
  isShown: (id: string) => boolean,
  perLine: number,
): string | undefined {
  const shown = columns.filter((column) => isFact(column) && isShown(column.id));
  return shown.length % perLine === 1 ? shown.at(-1)?.id : undefined;
}
