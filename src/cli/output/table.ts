import Table from 'cli-table3';
import pc from 'picocolors';
import { printable } from './printable.js';

export interface Column<Row> {
  readonly heading: string;
  readonly value: (row: Row) => string;
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

/** Aligned columns without borders, so that `awk` and `cut` can read them too. An empty cell is `-`. */
export function renderTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], colors: boolean): string {
  const { bold } = pc.createColors(colors);
  const table = new Table({
    head: columns.map((column) => bold(column.heading)),
    chars: borderless,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) {
    table.push(columns.map(({ value }) => printable(value(row)) || '-'));
  }
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
