import type { Column } from './data-table.types';
import { DottedLine } from './dotted-line';
import classes from './row-note.module.css';

interface RowNoteProps<Row> {
  readonly row: Row;
  /** Those that the table has no room for. */
  readonly columns: readonly Column<Row>[];
}

/** The second line of a row. It is there without a text, too: rows of a table are equally high. */
export function RowNote<Row>({ row, columns }: RowNoteProps<Row>) {
  const parts = columns.map(({ below }) => below?.(row) ?? '').filter((part) => part !== '');
  return (
    <div data-note>
      <DottedLine parts={parts} className={classes.note} />
    </div>
  );
}
