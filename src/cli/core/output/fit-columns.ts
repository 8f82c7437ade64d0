/** Fits the columns of a table into a line and truncates texts. */
import stringWidth from 'string-width';

export interface ColumnRoom {
  /** Width of the heading and the widest cell. */
  readonly wanted: number;
  /** Minimum width. */
  readonly least: number;
  /** Omitted when the line is too narrow, the highest number first. Absent: always shown. */
  readonly expendable?: number | undefined;
}

export const GAP = 2;

/** The width of each column; null for an omitted one. Omits expendable columns first, then shrinks the widest of the others. */
export function fitColumns(columns: readonly ColumnRoom[], lineWidth: number): readonly (number | null)[] {
  const shown = new Set(columns);
  const total = (widthOf: (column: ColumnRoom) => number): number =>
    [...shown].reduce((sum, column) => sum + widthOf(column), GAP * Math.max(0, shown.size - 1));
  while (total(({ least }) => least) > lineWidth) {
    const [next] = [...shown]
      .filter(({ expendable }) => expendable !== undefined)
      .sort((a, b) => (b.expendable ?? 0) - (a.expendable ?? 0));
    if (next === undefined) break;
    shown.delete(next);
  }
  const widths = new Map([...shown].map((column) => [column, column.wanted]));
  const widthOf = (column: ColumnRoom): number => widths.get(column) ?? 0;
  for (let excess = total(widthOf) - lineWidth; excess > 0; excess -= 1) {
    const [widest] = [...shown]
      .filter((column) => widthOf(column) > column.least)
      .sort((a, b) => widthOf(b) - widthOf(a));
    if (widest === undefined) break;
    widths.set(widest, widthOf(widest) - 1);
  }
  return columns.map((column) => widths.get(column) ?? null);
}

/** Truncates in the middle, for names, which differ at either end. */
export function cutMiddle(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const characters = Array.from(text);
  const head = beginning(characters, Math.ceil((width - 1) / 2));
  const tail = beginning(characters.reverse(), width - 1 - stringWidth(head.join(''))).reverse();
  return `${head.join('')}…${tail.join('')}`;
}

/** Truncates at the end, for sentences. */
export function cutEnd(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  return `${beginning(Array.from(text), width - 1)
    .join('')
    .trimEnd()}…`;
}

/** The first characters that fit into the width. */
function beginning(characters: readonly string[], width: number): string[] {
  let used = 0;
  const end = characters.findIndex((character) => (used += stringWidth(character)) > width);
  return characters.slice(0, end === -1 ? undefined : end);
}
