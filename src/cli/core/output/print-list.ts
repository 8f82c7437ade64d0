import type { Invocation } from '../../invocation.js';
import { printData } from './print-data.js';
import { renderTable, type Column, type Mark } from './table.js';

interface List<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** The state of a row, as a coloured dot in front of it. */
  readonly mark?: (row: Row) => Mark;
  /** Said on stderr when there is nothing to show. */
  readonly whenEmpty: string;
}

/** A table for people, or `{object: 'list', data}` as the API has it for programs. */
export async function printList<Row>(
  invocation: Invocation,
  { rows, columns, mark, whenEmpty }: List<Row>,
): Promise<void> {
  const { terminal, global } = invocation;
  await printData(invocation, { object: 'list', data: rows }, () => {
    // Headings alone are for programs that read the table.
    if (rows.length > 0 || terminal.columns === undefined) {
      const form = { mark, wide: global.wide };
      terminal.print(renderTable(columns, rows, terminal.stdoutColors, terminal.columns, form));
    }
    if (rows.length === 0 && whenEmpty !== '') terminal.note(whenEmpty);
  });
}
