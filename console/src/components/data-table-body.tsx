import type { RowData } from '@tanstack/react-table';
import { measureElement, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { DataTableRow } from './data-table-row';
import type { Column } from './data-table.types';
import { useHeightsOfWidth, useRowEstimate } from './measured-rows';
import type { TableRow } from './table-model';

interface DataTableBodyProps<Row extends RowData> {
  readonly rows: readonly TableRow<Row>[];
  readonly columns: readonly Column<Row>[];
  /** Of which the second line of a row says the value. */
  readonly below: readonly Column<Row>[];
  readonly cards: boolean;
  readonly factsPerLine: number;
  readonly details: ((row: Row) => ReactNode) | undefined;
  readonly virtual: boolean;
  /** Of the table, in CSS pixels. */
  readonly width: number;
  readonly onEndReached?: () => void;
}

/** Shorter tables are drawn whole: the browser's own search then finds every row. */
export const VIRTUAL_FROM_ROWS = 100;
const OVERSCAN_ROWS = 4;
/** More rows are asked for when the last of these comes into sight. */
const END_ROWS = 20;

export function DataTableBody<Row extends RowData>(props: DataTableBodyProps<Row>) {
  return props.virtual ? <VirtualBody {...props} /> : <WholeBody {...props} />;
}

function WholeBody<Row extends RowData>(props: DataTableBodyProps<Row>) {
  const { rows, columns, below, cards, factsPerLine, details } = props;
  return rows.map((row, index) => (
    <DataTableRow
      key={row.id}
      row={row}
      index={index}
      columns={columns}
      below={below}
      cards={cards}
      factsPerLine={factsPerLine}
      details={details}
      open={row.getIsExpanded()}
    />
  ));
}

function VirtualBody<Row extends RowData>(props: DataTableBodyProps<Row>) {
  const { rows, columns, below, cards, factsPerLine, details, width, onEndReached } = props;
  const top = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    setOffset((top.current?.getBoundingClientRect().top ?? 0) + globalThis.scrollY);
  }, [width]);
  const estimate = useRowEstimate();
  const virtualizer = useWindowVirtualizer<HTMLTableSectionElement>({
    count: rows.length,
    estimateSize: estimate.size,
    overscan: OVERSCAN_ROWS,
    measureElement: cards ? measureElement : estimateRow,
    scrollMargin: offset,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  useLayoutEffect(() => {
    estimate.sizes = virtualizer.itemSizeCache;
  }, [estimate, virtualizer]);
  useHeightsOfWidth(virtualizer, estimate, width);
  const items = virtualizer.getVirtualItems();
  const first = items[0];
  const last = items.at(-1);
  const lastIndex = last?.index ?? 0;
  useEffect(() => {
    if (lastIndex >= rows.length - END_ROWS) onEndReached?.();
  }, [lastIndex, rows.length, onEndReached]);
  const span = columns.length + (details ? 1 : 0);
  return (
    <>
      <Spacer ref={top} height={(first?.start ?? offset) - offset} span={span} />
      {items.map(({ index, key }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <DataTableRow
            key={key}
            ref={virtualizer.measureElement}
            row={row}
            index={index}
            columns={columns}
            below={below}
            cards={cards}
            factsPerLine={factsPerLine}
            details={details}
            open={row.getIsExpanded()}
          />
        );
      })}
      <Spacer height={last === undefined ? 0 : virtualizer.getTotalSize() - (last.end - offset)} span={span} />
    </>
  );
}

/**
 * Reading the height of a row that was just drawn makes the browser lay out the page once per row. Rows of a table are as high as
 * estimated, so the observer's report after the layout is soon enough; cards are not, and would jump.
 */
function estimateRow(
  row: HTMLTableSectionElement,
  entry: ResizeObserverEntry | undefined,
  virtualizer: Virtualizer<Window, HTMLTableSectionElement>,
): number {
  if (entry !== undefined) return measureElement(row, entry, virtualizer);
  const index = virtualizer.indexFromElement(row);
  return (
    virtualizer.itemSizeCache.get(virtualizer.options.getItemKey(index)) ?? virtualizer.options.estimateSize(index)
  );
}

interface SpacerProps {
  readonly ref?: React.Ref<HTMLTableSectionElement>;
  readonly height: number;
  readonly span: number;
}

/** Stands for the rows that are out of sight. */
function Spacer({ ref, height, span }: SpacerProps) {
  return (
    <tbody ref={ref} aria-hidden="true" data-spacer>
      <tr>
        <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
      </tr>
    </tbody>
  );
}
