/** Sorting and unfolding of a table's rows, by TanStack Table. */
import {
  createSortedRowModel,
  rowExpandingFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Row as ModelRow,
  type RowData,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { Column } from './data-table.types';
import { compareValues, sortOrderOf } from './sort-rows';

const features = tableFeatures({
  rowExpandingFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

type Features = typeof features;
export type TableRow<Row extends RowData> = ModelRow<Features, Row>;

interface TableModelOptions<Row> {
  readonly rows: readonly Row[];
  /** All of them: a table stays sorted by a column that it has no room for. */
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** As in the URL. */
  readonly sort: string;
  readonly unfolds: boolean;
}

export function useTableModel<Row extends RowData>(options: TableModelOptions<Row>): readonly TableRow<Row>[] {
  const { rows, columns, rowKey, sort, unfolds } = options;
  const definitions = useMemo(() => columns.map((column) => definitionOf(column)), [columns]);
  const state = useMemo(() => {
    const order = sortOrderOf(sort);
    // Whoever made the link chose the name.
    const isKnown =
      order !== undefined && columns.some(({ id, sortBy }) => id === order.column && sortBy !== undefined);
    return { sorting: isKnown ? [{ id: order.column, desc: order.descending }] : [] };
  }, [columns, sort]);
  const table = useTable({
    features,
    data: rows,
    columns: definitions,
    state,
    getRowId: rowKey,
    getRowCanExpand: () => unfolds,
  });
  return table.getRowModel().rows;
}

function definitionOf<Row extends RowData>({ id, header, sortBy }: Column<Row>): ColumnDef<Features, Row> {
  if (sortBy === undefined) return { id, header, enableSorting: false };
  return {
    id,
    header,
    accessorFn: (row) => sortBy(row) ?? undefined,
    sortFn: (a, b, columnId) => compareValues(a.getValue(columnId), b.getValue(columnId)),
    // What is not known, in either direction.
    sortUndefined: 'last',
  };
}
