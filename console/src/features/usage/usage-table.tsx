import { useMediaQuery } from '@mantine/hooks';
import { useMemo, useState, type ReactNode } from 'react';
import { PHONE } from '../../components/breakpoints';
import { DataTable, type Column } from '../../components/data-table';
import { count, countOf, duration, NONE } from '../../components/format';
import classes from './usage.module.css';
import { bucketRows, shownRows, type BucketRow, type UsageSeries } from './usage-series';

function columnsOf(bucket: string): readonly Column<BucketRow>[] {
  const format = new Intl.DateTimeFormat(
    undefined,
    bucket === 'hour'
      ? { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
      : { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  );
  return [
    {
      id: 'start',
      header: bucket === 'hour' ? 'Hour' : 'Day',
      heading: true,
      // Its dates are short: the numbers have the room.
      minWidth: '150px',
      // Failures are said nowhere else there.
      wrapsNotes: true,
      cell: (row) => ofRow(row, format.format(new Date(row.start))),
      sortBy: ({ start }) => start,
    },
    {
      ...numbers('requests', 'Requests', '80px', (row) => row.requests),
      card: 'corner',
      cell: (row, inCard) => ofRow(row, inCard ? countOf(row.requests, 'request') : count(row.requests)),
    },
    numbers('input', 'Tokens in', '96px', (row) => row.inputTokens),
    numbers('output', 'Tokens out', '100px', (row) => row.outputTokens),
    {
      // With the others, six facts are two lines of three.
      id: 'refused',
      header: 'Failed · rejected',
      cardOnly: true,
      cell: ({ failed, rejected }) => `${count(failed)} · ${count(rejected)}`,
    },
    // Mostly none: the first to be left out, and then only spoken of where there are some.
    {
      ...numbers('failed', 'Failed', '68px', (row) => row.failed),
      rank: 8,
      card: 'none',
      below: ofUsed(({ failed }) => (failed > 0 ? `${count(failed)} failed` : '')),
    },
    {
      ...numbers('rejected', 'Rejected', '80px', (row) => row.rejected),
      rank: 9,
      card: 'none',
      below: ofUsed(({ rejected }) => (rejected > 0 ? `${count(rejected)} rejected` : '')),
    },
    { ...times('p50', 'First token median', 'first token', (row) => row.latency?.ttft_p50_ms), rank: 5 },
    { ...times('p95', 'First token p95', 'p95', (row) => row.latency?.ttft_p95_ms), rank: 6 },
    { ...times('total', 'Total median', 'median total', (row) => row.latency?.duration_p50_ms), rank: 7 },
  ];
}

const numbers = (
  id: string,
  header: string,
  width: `${number}px`,
  value: (row: BucketRow) => number,
): Column<BucketRow> => ({
  id,
  header,
  width,
  numeric: true,
  cell: (row) => ofRow(row, count(value(row))),
  sortBy: value,
});

const times = (
  id: string,
  header: string,
  /** Before the time, where the column is left out. */
  word: string,
  value: (row: BucketRow) => number | null | undefined,
): Column<BucketRow> => ({
  id,
  header,
  numeric: true,
  // Of "First token" in the head.
  minWidth: '84px',
  cell: (row) => ofRow(row, row.requests === 0 ? NONE : duration(value(row))),
  sortBy: (row) => value(row) ?? null,
  below: ofUsed((row) => (value(row) == null ? '' : `${word} ${duration(value(row))}`)),
});

/** A time without requests has one line. */
const ofUsed =
  (text: (row: BucketRow) => string) =>
  (row: BucketRow): string | null =>
    row.requests === 0 ? null : text(row);

/** Of a time without requests, in grey. */
const ofRow = ({ requests }: BucketRow, text: string): ReactNode =>
  requests === 0 ? <span className={classes.none}>{text}</span> : text;

/** The numbers of the charts; a row unfolds into its groups. Many times without requests are left out until they are asked for. */
export function UsageTable({ series }: { readonly series: UsageSeries }) {
  const [showsAll, setShowsAll] = useState(false);
  // Cards of nothing would fill the screen.
  const isNarrow = useMediaQuery(PHONE, false, { getInitialValueInEffect: false });
  const all = useMemo(() => bucketRows(series), [series]);
  const { rows, hidden } = useMemo(
    () => shownRows(all, showsAll ? all.length : isNarrow ? 0 : MOST_WITH_EMPTY),
    [all, showsAll, isNarrow],
  );
  const columns = useMemo(() => columnsOf(series.bucket), [series.bucket]);
  return (
    <>
      {hidden > 0 && (
        <p className={classes.note}>
          {countOf(hidden, series.bucket)} without requests ·{' '}
          <button type="button" className={classes.show} onClick={() => setShowsAll(true)}>
            Show
          </button>
        </p>
      )}
      <DataTable
        label="Usage"
        rows={rows}
        columns={columns}
        rowKey={({ start }) => start}
        initialSort="-start"
        details={groupsOf}
        empty={null}
      />
    </>
  );
}

/** A month: so many rows are read like the chart. */
const MOST_WITH_EMPTY = 31;

function groupsOf({ groups }: BucketRow) {
  if (groups.length === 0) return <span className={classes.none}>No requests.</span>;
  return (
    <ul className={classes.groups}>
      {groups.map(({ name, requests, tokens }, index) => (
        <li key={index}>
          <span className={classes.name}>{name}</span>
          <span>
            {countOf(requests, 'request')} · {countOf(tokens, 'token')}
          </span>
        </li>
      ))}
    </ul>
  );
}
