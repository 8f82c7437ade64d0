import type { Invocation } from '../invocation.js';
import { renderTable, type Column } from './table.js';

interface List<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  /** Said on stderr when there is nothing to show. */
  readonly whenEmpty: string;
}

/** A table for people, or `{object: 'list', data}` as the API has it for programs. */
export function printList<Row>({ terminal, global }: Invocation, { rows, columns, whenEmpty }: List<Row>): void {
  if (global.output === 'json') {
    terminal.print(JSON.stringify({ object: 'list', data: rows }));
    return;
  }
  terminal.print(renderTable(columns, rows, terminal.stdoutColors));
  if (rows.length === 0) terminal.note(whenEmpty);
}
