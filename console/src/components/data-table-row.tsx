import { ActionIcon } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { memo, type MouseEvent, type ReactNode, type Ref } from 'react';
import { loneFact } from './card-facts';
import { CutText } from './cut-text';
import type { Column } from './data-table.types';
import { NONE } from './format';
import { ChevronDownIcon, ChevronRightIcon } from './icons';
import { notesOf, RowNote } from './row-note';
import type { TableRow } from './table-model';
import { tableStyles } from './table-styles';

interface DataTableRowProps<Row extends RowData> {
  readonly ref?: Ref<HTMLTableSectionElement>;
  readonly row: TableRow<Row>;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** Of which the second line of the row says the value. */
  readonly below: readonly Column<Row>[];
  readonly cards: boolean;
  /** In the grid of a card. */
  readonly factsPerLine: number;
  readonly details: ((row: Row) => ReactNode) | undefined;
  readonly open: boolean;
}

/** Roles are given by hand: as cards the elements are blocks, and browsers then forget that they are a table. */
function Row<Row extends RowData>(props: DataTableRowProps<Row>) {
  const { ref, row, index, columns, below, cards, factsPerLine, details, open } = props;
  const styles = tableStyles(cards);
  const toggle = () => row.toggleExpanded();
  const headingNotes = below.filter(({ belowIn }) => belowIn === undefined);
  const cells = columns.map((column) => {
    const { id, heading, showsNotes = false } = column;
    const inHere = heading ? headingNotes : below.filter(({ belowIn }) => belowIn === id);
    return {
      column,
      inHere,
      content: column.cell(row.original, cards, showsNotes ? notesOf(row.original, inHere) : undefined),
    };
  });
  const isShown = (id: string): boolean => cells.some((one) => one.column.id === id && !isNothing(one.content));
  const lone = cards ? loneFact(columns, isShown, factsPerLine) : undefined;
  const follow = (event: MouseEvent<HTMLElement>) => openRow(event, details && toggle);
  return (
    <tbody ref={ref} data-index={index} role="rowgroup" className={styles.body}>
      {/* For the pointer only: the keyboard has the link or the button within. */}
      <tr
        role="row"
        aria-rowindex={index + 2}
        className={styles.row}
        data-unfolds={details !== undefined || undefined}
        onClick={follow}
        onAuxClick={follow}
      >
        {details && (
          <td role="cell" className={styles.unfold}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-expanded={open}
              aria-label={open ? 'Hide details' : 'Show details'}
              onClick={toggle}
            >
              {open ? <ChevronDownIcon /> : <ChevronRightIcon />}
            </ActionIcon>
          </td>
        )}
        {cells.map(({ column, inHere, content }) => {
          const { id, header, numeric, card, heading, showsNotes = false, wrapsNotes = false } = column;
          return (
            <td
              key={id}
              role="cell"
              data-label={heading ? undefined : header}
              data-numeric={numeric || undefined}
              data-card={card ?? (heading ? undefined : 'fact')}
              data-wide={id === lone || undefined}
              data-none={content === NONE || undefined}
              data-heading={heading || undefined}
            >
              {inHere.length > 0 && !showsNotes ? (
                <RowNote row={row.original} columns={inHere} wraps={wrapsNotes}>
                  {contentOf(content, numeric)}
                </RowNote>
              ) : (
                contentOf(content, numeric)
              )}
            </td>
          );
        })}
      </tr>
      {open && details && (
        <tr role="row" className={styles.details}>
          <td role="cell" colSpan={columns.length + 1}>
            {details(row.original)}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Scrolling draws the rows that come into sight, and not the others again. */
export const DataTableRow = memo(Row) as typeof Row;

/** A card has no place for it. */
const isNothing = (content: ReactNode): boolean =>
  content === '' || content === null || content === undefined || content === false;

const contentOf = (content: ReactNode, numeric: boolean | undefined): ReactNode =>
  typeof content === 'string' && content !== '' && !numeric ? <CutText text={content} /> : content;

/** What does something else when it is clicked. */
const OWN_CLICK = 'a, button, input, select, textarea, label, summary';
const MIDDLE_BUTTON = 1;

/** Opens the link in the heading of a row, or unfolds the row. Selecting text in it does neither. */
function openRow(event: MouseEvent<HTMLElement>, toggle: (() => void) | undefined): void {
  const { target, currentTarget: row, button, ctrlKey, metaKey, shiftKey } = event;
  // Clicks in a menu that belongs to a cell, but is drawn elsewhere, arrive here, too.
  if (!(target instanceof Element) || !row.contains(target) || target.closest(OWN_CLICK) !== null) return;
  if (button > MIDDLE_BUTTON || globalThis.getSelection()?.isCollapsed === false) return;
  const link = row.querySelector('[data-heading] a[href]');
  if (link !== null) {
    // A click with Ctrl opens another tab, as the middle button does on a link.
    const keys = { ctrlKey: ctrlKey || button === MIDDLE_BUTTON, metaKey, shiftKey };
    link.dispatchEvent(new globalThis.MouseEvent('click', { bubbles: true, cancelable: true, ...keys }));
  } else if (button === 0) toggle?.();
}
