/**
 * A table that sorts, filters, keeps its state in the URL, draws only the rows in sight when it is long, and shows cards on a phone.
 * Rows are table bodies of their own, because an unfolded row has two lines.
 */
import { useDeferredValue, useMemo, useState } from 'react';
import { TableSkeleton } from './table-skeleton';
import { ErrorPanel } from './error-panel';
import type { Column, DataTableProps } from './data-table.types';
import classes from './data-table.module.css';
import { DataTableBody, VIRTUAL_FROM_ROWS } from './data-table-body';
import { DataTableHead } from './data-table-head';
import { FilterField } from './filter-field';
import { filterRows, sortOrderOf, sortRows } from './sort-rows';
import { useUrlState } from './url-state';

export type { Column } from './data-table.types';

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, filterText, filterLabel, toolbar, details, empty, error, onRetry } = props;
  const { initialSort = '', prefix = '', onEndReached, loadingMore = false } = props;
  const [sort, setSort] = useUrlState(`${prefix}sort`, initialSort);
  const [filter, setFilter] = useUrlState(`${prefix}q`);
  const [typed, setTyped] = useState(filter);
  // Typing stays fluent while thousands of rows are searched.
  const searched = useDeferredValue(typed);
  const shown = useMemo(
    () => arrange(rows ?? [], columns, sort, searched, filterText),
    [rows, columns, sort, searched, filterText],
  );
  const unfolds = details !== undefined;

  if (error !== undefined && error !== null && rows === undefined) {
    return <ErrorPanel error={error} {...(onRetry && { onRetry })} />;
  }
  if (rows === undefined) return <TableSkeleton />;
  const isEmpty = rows.length === 0;
  const isLong = onEndReached !== undefined || shown.length >= VIRTUAL_FROM_ROWS;
  return (
    <div>
      {(toolbar !== undefined || (filterText && !isEmpty)) && (
        <div className={classes.toolbar}>
          {filterText && (
            <FilterField
              label={filterLabel ?? `Filter ${label.toLowerCase()}`}
              value={typed}
              onType={setTyped}
              onSettle={setFilter}
            />
          )}
          {toolbar}
        </div>
      )}
      {isEmpty ? (
        empty
      ) : (
        <table
          className={classes.table}
          data-long={isLong || undefined}
          role="table"
          aria-label={label}
          aria-rowcount={shown.length + 1}
        >
          <DataTableHead columns={columns} sort={sort} onSort={setSort} unfolds={unfolds} />
          <DataTableBody
            rows={shown}
            columns={columns}
            rowKey={rowKey}
            details={details}
            virtual={isLong}
            {...(onEndReached && { onEndReached })}
          />
        </table>
      )}
      {!isEmpty && shown.length === 0 && <p className={classes.none}>Nothing matches the filter.</p>}
      {loadingMore && <TableSkeleton rows={2} />}
    </div>
  );
}

function arrange<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sort: string,
  filter: string,
  filterText: ((row: Row) => string) | undefined,
): readonly Row[] {
  const found = filterText ? filterRows(rows, filter, filterText) : rows;
  const order = sortOrderOf(sort);
  const sortBy = columns.find(({ id }) => id === order?.column)?.sortBy;
  return order && sortBy ? sortRows(found, sortBy, order.descending) : found;
}
