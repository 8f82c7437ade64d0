import pc from 'picocolors';
import stringWidth from 'string-width';
import { printable } from '../../../kernel/printable.js';
import { cutEnd, cutMiddle, fitColumns, GAP } from './fit-columns.js';

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
  /** For numbers, which are never truncated. */
  readonly align?: 'right';
  /** Never truncated: a truncated id is useless. */
  readonly whole?: true;
  /** Truncated at the end instead of in the middle. */
  readonly sentence?: true;
  /** Minimum width. */
  readonly min?: number;
  /** Omitted when the line is too narrow, the highest number first. Absent: always shown. */
  readonly expendable?: number;
  /** Omitted on a terminal when no row has a value. */
  readonly optional?: true;
  /** Shown with `--wide` only: ids and rarely needed columns. */
  readonly wide?: true;
}

/** The state of a row, shown as a coloured dot before it. */
export type Mark = 'serving' | 'working' | 'attention' | 'failed' | 'off';

export interface TableForm<Row> {
  /** The mark of each row. Not shown in a pipe, where the name is the first column. */
  readonly mark?: ((row: Row) => Mark) | undefined;
  /** Shows all columns without truncation. */
  readonly wide?: boolean | undefined;
}

/** Default minimum width of a column; shorter names are unreadable. */
const MIN_WIDTH = 8;

/**
 * Aligned columns without borders. In a pipe the columns do not depend on the rows, nothing is truncated, and an empty cell is `-`.
 * @param lineWidth in characters; undefined for a pipe
 */
export function renderTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  colors: boolean,
  lineWidth?: number,
  { mark, wide = false }: TableForm<Row> = {},
): string {
  const { bold } = pc.createColors(colors);
  const chosen = columns.filter((column) => wide || column.wide !== true);
  if (lineWidth === undefined) {
    const { heading, lines } = layoutTable(chosen, rows, { empty: '-', keepOptional: true });
    return [bold(heading), ...lines].join('\n');
  }
  const margin = mark === undefined ? 0 : MARGIN;
  const room = wide ? undefined : lineWidth - margin;
  const { heading, lines } = layoutTable(chosen, rows, { lineWidth: room, keepOptional: wide });
  const marked = lines.map((line, index) => {
    const row = rows[index];
    return mark === undefined || row === undefined ? line : `${drawMark(mark(row), colors)} ${line}`;
  });
  return [bold(' '.repeat(margin) + heading), ...marked].join('\n');
}

/** Width of a mark and the space after it. */
export const MARGIN = 2;

export function drawMark(mark: Mark, colors: boolean): string {
  const { green, blue, yellow, red, dim } = pc.createColors(colors);
  switch (mark) {
    case 'serving':
      return green('●');
    case 'working':
      return blue('●');
    case 'attention':
      return yellow('●');
    case 'failed':
      return red('●');
    case 'off':
      return dim('○');
    default:
      return mark satisfies never;
  }
}

interface Layout {
  readonly lineWidth?: number | undefined;
  readonly empty?: string;
  readonly keepOptional?: boolean;
}

/** Heading and rows as plain text within the line width. */
export function layoutTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { lineWidth, empty = '–', keepOptional = false }: Layout,
): { readonly heading: string; readonly lines: readonly string[] } {
  const filled = columns.map((column) => ({ column, cells: rows.map((row) => printable(column.value(row))) }));
  const shown = filled.filter(
    ({ column, cells }) => keepOptional || column.optional !== true || cells.some((cell) => cell !== ''),
  );
  const room = shown.map(({ column, cells }) => roomOf(column, cells));
  const widths = lineWidth === undefined ? room.map(({ wanted }) => wanted) : fitColumns(room, lineWidth);
  const lineOf = (textOf: (index: number) => string): string => {
    const cells = shown.flatMap(({ column }, index) => {
      const width = widths[index];
      return width == null ? [] : [pad(textOf(index), width, column)];
    });
    const line = cells.join(' '.repeat(GAP)).trimEnd();
    return lineWidth === undefined ? line : cutEnd(line, lineWidth);
  };
  return {
    heading: lineOf((index) => shown[index]?.column.heading ?? ''),
    // A column without a heading contains marks, such as a check mark: an empty cell stays blank.
    lines: rows.map((_, row) =>
      lineOf((index) => shown[index]?.cells[row] || (shown[index]?.column.heading === '' ? '' : empty)),
    ),
  };
}

function roomOf<Row>(
  { heading, align, whole, min, expendable }: Column<Row>,
  cells: readonly string[],
): { wanted: number; least: number; expendable: number | undefined } {
  const wanted = Math.max(stringWidth(heading), ...cells.map((cell) => stringWidth(cell)));
  const stays = whole === true || align === 'right';
  const least = stays ? wanted : Math.min(wanted, Math.max(min ?? MIN_WIDTH, stringWidth(heading)));
  return { wanted, least, expendable };
}

function pad<Row>(text: string, width: number, { align, sentence }: Column<Row>): string {
  const short = sentence === true ? cutEnd(text, width) : cutMiddle(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(short)));
  return align === 'right' ? `${space}${short}` : `${short}${space}`;
}
