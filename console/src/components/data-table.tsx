/**
 * A table that sorts, filters, keeps its state in the URL, draws only the rows in sight when it is long, leaves out columns where it has
 * no room for them, and becomes cards where it is narrow. Rows are table bodies of their own, because an unfolded row has two lines.
 */
import type { RowData } from '@tanstack/react-table';
import { useDeferredValue, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { TableSkeleton } from './table-skeleton';
import { ErrorPanel } from './error-panel';
import type { DataTableProps } from './data-table.types';
import { factsPerLine } from './card-facts';
import classes from './data-table.module.css';
import { DataTableBody, VIRTUAL_FROM_ROWS } from './data-table-body';
import { CardOrder, DataTableHead } from './data-table-head';
import { FilterField } from './filter-field';
import { columnsBelow, fitColumns, headingWidth } from './fit-columns';
import { filterRows } from './sort-rows';
import { useTableModel } from './table-model';
import { tableStyles } from './table-styles';
import { useTypedFilter } from './typed-filter';
import { useUrlState } from './url-state';

export type { Column } from './data-table.types';

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { label, rows, columns, rowKey, filterText, filterLabel, toolbar, details, empty, error, onRetry } = props;
  const { initialSort = '', prefix = '', onEndReached, loadingMore = false } = props;
  const [sort, setSort] = useUrlState(`${prefix}sort`, initialSort);
  const { typed, setTyped, settle } = useTypedFilter(useUrlState(`${prefix}q`));
  // Typing stays fluent while thousands of rows are searched.
  const searched = useDeferredValue(typed);
  const found = useMemo(
    () => (filterText && rows ? filterRows(rows, searched, filterText) : (rows ?? none)),
    [rows, searched, filterText],
  );
  const unfolds = details !== undefined;
  const shown = useTableModel({ rows: found, columns, rowKey, sort, unfolds });
  const place = useRef<HTMLDivElement>(null);
  const width = useWidth(place);
  const fitting = useMemo(() => fitColumns(columns, width, unfolds), [columns, width, unfolds]);
  const cards = fitting === 'cards';
  const visible = cards ? columns : fitting;
  const below = useMemo(() => columnsBelow(columns, fitting), [columns, fitting]);
  const perLine = useMemo(() => factsPerLine(columns), [columns]);
  const headingPx = cards ? undefined : headingWidth(visible, width, unfolds);

  const isFailed = error !== undefined && error !== null && rows === undefined;
  const isPending = !isFailed && (rows === undefined || width === 0);
  const isEmpty = rows?.length === 0;
  // A few cards are seen at once.
  const inOrder = cards && rows !== undefined && rows.length > CARDS_WITHOUT_ORDER;
  const hasToolbar = toolbar !== undefined && toolbar !== null && toolbar !== false;
  // Rows that a filter of the toolbar leaves out can be searched for all the same.
  const hasSearch = filterText !== undefined && (!isEmpty || hasToolbar);
  const isLong = onEndReached !== undefined || shown.length >= VIRTUAL_FROM_ROWS;
  return (
    <div ref={place}>
      {isFailed && (
        <>
          {/* What filters the rows may be what failed. */}
          {hasToolbar && <div className={classes.toolbar}>{toolbar}</div>}
          <ErrorPanel error={error} {...(onRetry && { onRetry })} />
        </>
      )}
      {isPending && <TableSkeleton />}
      {!isFailed && !isPending && (
        <>
          {(hasToolbar || inOrder || hasSearch) && (
            <div className={classes.toolbar}>
              {hasSearch && (
                <FilterField
                  label={filterLabel ?? `Filter ${label.toLowerCase()}`}
                  value={typed}
                  onType={setTyped}
                  onSettle={settle}
                />
              )}
              {toolbar}
              {inOrder && <CardOrder columns={columns} sort={sort} onSort={setSort} />}
            </div>
          )}
          {isEmpty ? (
            empty
          ) : (
            <table
              className={tableStyles(cards).table}
              data-cards={cards || undefined}
              data-facts={perLine}
              role="table"
              aria-label={label}
              aria-rowcount={shown.length + 1}
            >
              <DataTableHead
                cards={cards}
                columns={visible}
                headingWidth={headingPx}
                sort={sort}
                onSort={setSort}
                unfolds={unfolds}
              />
              <DataTableBody
                rows={shown}
                columns={visible}
                below={below}
                cards={cards}
                factsPerLine={perLine}
                details={details}
                virtual={isLong}
                width={width}
                {...(onEndReached && { onEndReached })}
              />
            </table>
          )}
          {!isEmpty && shown.length === 0 && <p className={classes.none}>Nothing matches the filter.</p>}
          {loadingMore && <TableSkeleton rows={2} />}
        </>
      )}
    </div>
  );
}

const none: readonly never[] = [];
const CARDS_WITHOUT_ORDER = 4;

/** @returns the width of an element, known before its content is first drawn; 0 until then */
function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
