import { ActionIcon } from '@mantine/core';
import { memo, type ReactNode, type Ref } from 'react';
import type { Column } from './data-table.types';
import classes from './data-table.module.css';
import { ChevronDownIcon, ChevronRightIcon } from './icons';

interface DataTableRowProps<Row> {
  readonly ref?: Ref<HTMLTableSectionElement>;
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly details: ((row: Row) => ReactNode) | undefined;
  readonly open: boolean;
  readonly name: string;
  /** The same function for all rows and renders. */
  readonly onToggle: (name: string) => void;
}

/** Roles are given by hand: as cards on a phone the elements are blocks, and browsers then forget that they are a table. */
function TableRow<Row>({ ref, row, index, columns, details, open, name, onToggle }: DataTableRowProps<Row>) {
  return (
    <tbody ref={ref} data-index={index} role="rowgroup" className={classes.body}>
      <tr role="row" aria-rowindex={index + 2} className={classes.row}>
        {details && (
          <td role="cell" className={classes.unfold}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={open}
              aria-label={open ? 'Hide details' : 'Show details'}
              onClick={() => onToggle(name)}
            >
              {open ? <ChevronDownIcon /> : <ChevronRightIcon />}
            </ActionIcon>
          </td>
        )}
        {columns.map(({ id, header, cell, numeric, wideOnly, heading }) => (
          <td
            key={id}
            role="cell"
            data-label={heading ? undefined : header}
            data-numeric={numeric || undefined}
            data-wide={wideOnly || undefined}
            data-heading={heading || undefined}
          >
            {cell(row)}
          </td>
        ))}
      </tr>
      {open && details && (
        <tr role="row" className={classes.details}>
          <td role="cell" colSpan={columns.length + 1}>
            {details(row)}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Scrolling draws the rows that come into sight, and not the others again. */
export const DataTableRow = memo(TableRow) as typeof TableRow;
