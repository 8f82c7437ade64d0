import type { ReactNode } from 'react';
import type { SortValue } from './sort-rows';

export interface Column<Row> {
  /** Also its name in the URL. */
  readonly id: string;
  /** Also the label of the value in a card. */
  readonly header: string;
  /**
   * Plain text stays on one line, cut in the middle where it is too long.
   * @param inCard rather than in a table
   * @param notes for a heading with `showsNotes`: what the columns say that the table has no room for
   */
  readonly cell: (row: Row, inCard: boolean, notes?: readonly string[]) => ReactNode;
  /** The heading itself shows what `below` says, among other words; else it is the last line. */
  readonly showsNotes?: boolean;
  /** The last line takes two lines instead of cutting what has no room in one. */
  readonly wrapsNotes?: boolean;
  /** Makes the column sortable. */
  readonly sortBy?: (row: Row) => SortValue;
  /** Numbers are right-aligned. */
  readonly numeric?: boolean;
  /** What has none shares the rest. */
  readonly width?: `${number}px`;
  /** Of the heading, which else has twice the share of the others. */
  readonly maxWidth?: `${number}px`;
  /** Of a column without a width: where less is left, other columns are left out, or rows become cards. */
  readonly minWidth?: `${number}px`;
  /** Where there is no room, the highest rank is left out first; 0 never. Default: its place, so that later columns go first. */
  readonly rank?: number;
  /**
   * Where the column is left out of a table, the second line of the heading says this instead. Short, and with its unit; empty: not known; null of
   * all columns that are left out: the row needs no second line.
   */
  readonly below?: (row: Row) => string | readonly string[] | null;
  /** Id of a column that is never left out before this one: `below` stands there, rather than in the heading. */
  readonly belowIn?: string;
  /**
   * Its place in a card: `corner`, opposite the heading; `line`, below the heading in one line with others, and `named`, there with its label;
   * `second-start` and `second-end`, without a label at the ends of that line, or in a line each where they have no room in one; `third`, without a label
   * in the line below that; `whole`, the width of
   * the card without a label; `none`. Default: a cell of the grid of facts, its label above its value.
   */
  readonly card?: 'corner' | 'line' | 'named' | 'second-start' | 'second-end' | 'third' | 'whole' | 'none';
  /** Only cards have it: in a table another column says it. */
  readonly cardOnly?: boolean;
  /** Heads the card, without its label, and is never left out. A link in it is opened by a click anywhere in the row. */
  readonly heading?: boolean;
}

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  readonly label: string;
  /** undefined: not there yet. */
  readonly rows: readonly Row[] | undefined;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Text that the filter searches; without it there is no filter field. */
  readonly filterText?: (row: Row) => string;
  readonly filterLabel?: string;
  /** As in the URL: `name`, or `-name` for descending. */
  readonly initialSort?: string;
  /** Of the names in the URL, when a page has several tables. */
  readonly prefix?: string;
  /** Beside the filter: chips, a range, an export. */
  readonly toolbar?: ReactNode;
  /** What a row unfolds. undefined: this row does not unfold. */
  readonly details?: (row: Row) => ReactNode;
  /** Shown instead of the table when there are no rows at all. */
  readonly empty: ReactNode;
  readonly error?: unknown;
  readonly onRetry?: () => void;
  /** Called when the last rows come into sight, to load more of them. */
  readonly onEndReached?: () => void;
  readonly loadingMore?: boolean;
}
