/** A part of a page that consists of a title and a table. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import { useId, type ReactNode } from 'react';
import { DataTable } from './data-table';
import type { DataTableProps } from './data-table.types';
import classes from './table-section.module.css';

interface TableSectionProps<Row> extends Omit<DataTableProps<Row>, 'label' | 'rows' | 'error' | 'onRetry'> {
  /** Also the name of the table. */
  readonly title: string;
  /** Beside the title, and no part of it: how many there are. */
  readonly mark?: ReactNode;
  /** One sentence below the title. */
  readonly about?: ReactNode;
  /** On the right of the title: a link or a button. */
  readonly action?: ReactNode;
  /** Gives the rows. */
  readonly query: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'refetch'>;
  /** Above the table: what could not be done with a row of it. */
  readonly notice?: ReactNode;
  /** Below the table: dialogs of its rows. */
  readonly children?: ReactNode;
}

export function TableSection<Row extends RowData>(props: TableSectionProps<Row>) {
  const { title, mark, about, action, query, notice, children, ...table } = props;
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <h2 id={id} className={classes.title}>
            {title}
            {mark !== undefined && <span className={classes.mark}> {mark}</span>}
          </h2>
          {about !== undefined && <p className={classes.about}>{about}</p>}
        </div>
        {action}
      </div>
      {notice}
      <DataTable {...table} label={title} rows={query.data} error={query.error} onRetry={() => void query.refetch()} />
      {children}
    </section>
  );
}
