import type { Invocation } from '../../invocation.js';
import { printData } from './print-data.js';
import { renderTable, type Column, type Mark } from './table.js';

interface List<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The state of a row, shown as a coloured dot before it. */
  readonly mark?: (row: Row) => Mark;
  /** Printed on stderr for an empty list. */
  readonly whenEmpty: string;
}

/** Prints a table, or `{object: 'list', data}` like the API for JSON and YAML. */
export async function printList<Row>(
  invocation: Invocation,
  { rows, columns, mark, whenEmpty }: List<Row>,
): Promise<void> {
  const { terminal, global } = invocation;
  await printData(invocation, { object: 'list', data: rows }, () => {
    // An empty table still has its headings in a pipe, for programs that parse it.
    if (rows.length > 0 || terminal.columns === undefined) {
      const form = { mark, wide: global.wide };
      terminal.print(renderTable(columns, rows, terminal.stdoutColors, terminal.columns, form));
    }
    if (rows.length === 0 && whenEmpty !== '') terminal.note(whenEmpty);
  });
}
