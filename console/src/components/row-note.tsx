import type { ReactNode } from 'react';
import type { Column } from './data-table.types';
import { DottedLine } from './dotted-line';
import classes from './row-note.module.css';

interface RowNoteProps<Row> {
  readonly row: Row;
  /** Those that the table has no room for. */
  readonly columns: readonly Column<Row>[];
  /** Takes two lines instead of cutting what has no room in one. */
  readonly wraps: boolean;
  /** What heads the row, or another cell. */
  readonly children: ReactNode;
}

/** What is known of what the columns say. */
export const notesOf = <Row,>(row: Row, columns: readonly Column<Row>[]): readonly string[] =>
  columns.flatMap(({ below }) => below?.(row) ?? []).filter((part) => part !== '');

/** Rows of one table are equally high; more parts have no room in one line. */
const PARTS_OF_A_LINE = 2;

/**
 * The line below the heading of a row, or in another cell of it. Below a heading it is there without a text, too, so that rows are equally
 * high, but for those that need none.
 */
export function RowNote<Row>({ row, columns, wraps, children }: RowNoteProps<Row>) {
  const parts = notesOf(row, columns);
  const isOptional = columns.every(({ below, belowIn }) => belowIn !== undefined || below?.(row) === null);
  if (isOptional && parts.length === 0) return children;
  return (
    <div className={classes.noted}>
      {children}
      <div className={classes.note} data-note>
        <DottedLine parts={parts} onOneLine={!wraps && parts.length <= PARTS_OF_A_LINE} />
      </div>
    </div>
  );
}
