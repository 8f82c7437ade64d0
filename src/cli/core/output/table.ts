import Table from 'cli-table3';
import pc from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** Never shortened, however narrow the window is: an id that is cut off is none. */
  readonly whole?: true;
  /** Of numbers. */
  readonly align?: 'right';
}

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Narrower than this a cell says nothing any more. */
const MIN_WIDTH = 8;
const GAP = 2;

/**
 * Aligned columns without borders, so that `awk` and `cut` can read them too. An empty cell is `-`.
 * @param maxWidth of a line, in characters; the widest columns are shortened until it fits. Undefined: nothing is cut off
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  colors: boolean,
  maxWidth?: number,
): string {
  const { bold } = pc.createColors(colors);
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row)) || '-'));
  const table = new Table({
    head: columns.map((column) => bold(column.heading)),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    ...(maxWidth === undefined ? {} : { colWidths: fitWidths(columns, cells, maxWidth) }),
  });
  table.push(...cells);
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function fitWidths<Row>(
  columns: readonly Column<Row>[],
  cells: readonly (readonly string[])[],
  maxWidth: number,
): number[] {
  const widths = columns.map(({ heading }, index) =>
    Math.max(stringWidth(heading), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  let excess = widths.reduce((sum, width) => sum + width, GAP * (columns.length - 1)) - maxWidth;
  while (excess > 0) {
    const widest = indexOfWidest(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function indexOfWidest<Row>(columns: readonly Column<Row>[], widths: readonly number[]): number | undefined {
  let widest: number | undefined;
  widths.forEach((width, index) => {
    const mayShrink = columns[index]?.whole !== true && width > MIN_WIDTH;
    if (mayShrink && (widest === undefined || width > (widths[widest] ?? 0))) widest = index;
  });
  return widest;
}
