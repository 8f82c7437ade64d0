import type { Column } from './data-table.types';

/** Below this, in CSS pixels, a table is read row by row, as cards. */
const CARDS_BELOW_PX = 620;
/** Of columns without a width, as long as there is room; they share what is left. */
const HEADING_PX = 180;
const FLEXIBLE_PX = 112;
const UNFOLD_PX = 36;

/**
 * The columns that a table has room for: those of the highest rank are left out first.
 * @returns `cards` where not even the columns of rank 0 have room
 */
export function fitColumns<Row>(
  all: readonly Column<Row>[],
  widthPx: number,
  unfolds: boolean,
): readonly Column<Row>[] | 'cards' {
  if (widthPx < CARDS_BELOW_PX) return 'cards';
  const columns = all.filter(({ cardOnly }) => cardOnly !== true);
  const fitting = columns.map((column, index) => ({ column, rank: rankOf(column, index), index }));
  let excessPx = columns.reduce((sum, column) => sum + widthOf(column), unfolds ? UNFOLD_PX : 0) - widthPx;
  // Last of a rank first: what matters stands on the left.
  for (const dropped of [...fitting].sort((a, b) => b.rank - a.rank || b.index - a.index)) {
    if (excessPx <= 0) break;
    if (dropped.rank === 0) return 'cards';
    excessPx -= widthOf(dropped.column);
    fitting.splice(fitting.indexOf(dropped), 1);
  }
  return fitting.map(({ column }) => column);
}

/** Of the columns that a table has no room for, those of which the second line of its rows says the value: what cards show. */
export function columnsBelow<Row>(
  all: readonly Column<Row>[],
  fitting: readonly Column<Row>[] | 'cards',
): readonly Column<Row>[] {
  if (fitting === 'cards') return [];
  return all.filter((column) => column.below !== undefined && !fitting.includes(column));
}

/**
 * Of the column that heads the rows, which has twice the share of the others in the room that is left: names are longer than what is said of
 * them.
 * @returns undefined where it has all that is left, or a width of its own
 */
export function headingWidth<Row>(
  columns: readonly Column<Row>[],
  widthPx: number,
  unfolds: boolean,
): `${number}px` | undefined {
  const flexible = columns.filter(({ width }) => width === undefined);
  const head = flexible.find(({ heading }) => heading);
  if (flexible.length < 2 || head === undefined) return undefined;
  const leftPx = columns.reduce((left, column) => left - widthOf(column), widthPx - (unfolds ? UNFOLD_PX : 0));
  const shared = widthOf(head) + Math.floor((2 * Math.max(0, leftPx)) / (flexible.length + 1));
  return `${Math.min(shared, head.maxWidth === undefined ? shared : Number.parseInt(head.maxWidth, 10))}px`;
}

const rankOf = <Row>({ heading, rank }: Column<Row>, index: number): number => (heading ? 0 : (rank ?? index));

function widthOf<Row>({ heading, width, minWidth }: Column<Row>): number {
  const given = width ?? minWidth;
  if (given !== undefined) return Number.parseInt(given, 10);
  return heading ? HEADING_PX : FLEXIBLE_PX;
}
