import type { Invocation } from '../../invocation.js';
import { printData } from './print-data.js';
import { renderTable, type Column } from './table.js';

interface List<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Said on stderr when there is nothing to show. */
  readonly whenEmpty: string;
}

/** A table for people, or `{object: 'list', data}` as the API has it for programs. */
export async function printList<Row>(invocation: Invocation, { rows, columns, whenEmpty }: List<Row>): Promise<void> {
  const { terminal } = invocation;
  await printData(invocation, { object: 'list', data: rows }, () => {
    terminal.print(renderTable(columns, rows, terminal.stdoutColors, terminal.columns));
    if (rows.length === 0) terminal.note(whenEmpty);
  });
}
