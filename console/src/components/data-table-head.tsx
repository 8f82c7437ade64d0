import { NativeSelect } from '@mantine/core';
import type { Column } from './data-table.types';
import classes from './data-table.module.css';
import { ArrowDownIcon, ArrowUpIcon } from './icons';
import { sortOrderOf, sortText } from './sort-rows';
import { tableStyles } from './table-styles';

interface DataTableHeadProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly cards: boolean;
  /** Of the column that heads the rows, where it has none of its own. */
  readonly headingWidth: `${number}px` | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly unfolds: boolean;
}

export function DataTableHead<Row>(props: DataTableHeadProps<Row>) {
  const { columns, cards, headingWidth, sort, onSort, unfolds } = props;
  const order = sortOrderOf(sort);
  return (
    <thead role="rowgroup" className={tableStyles(cards).head}>
      <tr role="row">
        {unfolds && (
          <th role="columnheader" className={classes.unfold}>
            <span className={classes.hidden}>Details</span>
          </th>
        )}
        {columns.map(({ id, header, sortBy, numeric, heading, width: own }) => {
          const width = own ?? (heading ? headingWidth : undefined);
          const sorted = order?.column === id ? order : undefined;
          const direction = sorted?.descending ? 'descending' : 'ascending';
          return (
            <th
              key={id}
              role="columnheader"
              scope="col"
              data-label={header}
              data-numeric={numeric || undefined}
              style={width === undefined ? undefined : { width }}
              aria-sort={sorted && direction}
            >
              {sortBy ? (
                <button
                  type="button"
                  className={classes.sort}
                  onClick={() =>
                    onSort(sortText({ column: id, descending: sorted ? !sorted.descending : numeric === true }))
                  }
                >
                  {header}
                  {sorted && (sorted.descending ? <ArrowDownIcon size={12} /> : <ArrowUpIcon size={12} />)}
                </button>
              ) : (
                header
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface CardOrderProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** Cards have no head that could be clicked. */
export function CardOrder<Row>({ columns, sort, onSort }: CardOrderProps<Row>) {
  const sortable = columns.filter(({ sortBy }) => sortBy !== undefined);
  if (sortable.length === 0) return null;
  const directions = [false, true].flatMap((descending) =>
    sortable.map(({ id, header }) => ({
      value: sortText({ column: id, descending }),
      label: `Sort by ${header}${descending ? ', descending' : ''}`,
    })),
  );
  return (
    <NativeSelect
      aria-label="Sort by"
      className={classes.order}
      data={[...(sortOrderOf(sort) === undefined ? [{ value: '', label: 'Sort by …' }] : []), ...directions]}
      value={sort}
      onChange={(event) => onSort(event.currentTarget.value)}
    />
  );
}
