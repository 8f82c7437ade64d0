import stringWidth from 'string-width';

export interface LiveColumn {
  readonly heading: string;
  readonly cells: readonly string[];
  readonly align?: 'right';
  /** May be shortened to this width. Absent: shown whole or not at all. */
  readonly min?: number;
  /** Left out where there is no room, the highest first. Absent: always shown. */
  readonly expendable?: number;
}

const GAP = 2;

/** Heading and rows, none wider than `width`. Columns are left out first, then the widest of the others are shortened. */
export function layoutColumns(columns: readonly LiveColumn[], width: number): readonly string[] {
  let shown = [...columns];
  while (leastWidth(shown) > width) {
    const [least] = shown.filter(({ expendable }) => expendable !== undefined).sort(byExpendable);
    if (least === undefined) break;
    shown = shown.filter((column) => column !== least);
  }
  const widths = shown.map(wholeWidth);
  const limits = shown.map((column) => column.min ?? wholeWidth(column));
  for (let excess = total(widths) - width; excess > 0; excess -= 1) {
    const widest = widths.reduce(
      (best, own, index) => (own > (limits[index] ?? 0) && own > (widths[best] ?? 0) ? index : best),
      widths.findIndex((own, index) => own > (limits[index] ?? 0)),
    );
    if (widest === -1) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const count = Math.max(0, ...columns.map(({ cells }) => cells.length));
  const row = (textOf: (column: LiveColumn) => string): string =>
    cut(
      shown.map((column, index) => pad(textOf(column), widths[index] ?? 0, column.align)).join(' '.repeat(GAP)),
      width,
    ).trimEnd();
  return [
    row(({ heading }) => heading),
    ...Array.from({ length: count }, (_, index) => row(({ cells }) => cells[index] ?? '')),
  ];
}

const byExpendable = (a: LiveColumn, b: LiveColumn): number => (b.expendable ?? 0) - (a.expendable ?? 0);

const wholeWidth = ({ heading, cells }: LiveColumn): number =>
  Math.max(stringWidth(heading), ...cells.map((cell) => stringWidth(cell)));

const leastWidth = (columns: readonly LiveColumn[]): number =>
  total(columns.map((column) => Math.min(wholeWidth(column), column.min ?? Infinity)));

const total = (widths: readonly number[]): number =>
  widths.reduce((sum, width) => sum + width, GAP * Math.max(0, widths.length - 1));

function pad(text: string, width: number, align: 'right' | undefined): string {
  const short = cutMiddle(text, width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(short)));
  return align === 'right' ? `${space}${short}` : `${short}${space}`;
}

/** Shortened in the middle: names differ at either end. */
function cutMiddle(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 1 && stringWidth(characters.join('')) > width - 1) {
    characters.splice(Math.floor(characters.length / 2), 1);
  }
  characters.splice(Math.ceil(characters.length / 2), 0, '…');
  return characters.join('');
}

/** Whatever does not fit is left out. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (characters.length > 0 && stringWidth(characters.join('')) > width - 1) characters.pop();
  return `${characters.join('')}…`;
}
