import { useMemo } from 'react';
import { DataTable, type Column } from '../../components/data-table';
import { count, countOf, duration } from '../../components/format';
import classes from './usage.module.css';
import { bucketRows, type BucketRow, type UsageSeries } from './usage-series';

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
      cell: ({ start }) => format.format(new Date(start)),
      sortBy: ({ start }) => start,
    },
    {
      ...numbers('requests', 'Requests', '80px', (row) => row.requests),
      card: 'corner',
      cell: ({ requests }, inCard) => (inCard ? countOf(requests, 'request') : count(requests)),
    },
    {
      id: 'refused',
      header: 'Failed and rejected',
      card: 'whole',
      cardOnly: true,
      cell: ({ failed, rejected }) => (
        <span className={classes.inCard}>
          {count(failed)} failed · {count(rejected)} rejected
        </span>
      ),
    },
    numbers('input', 'Tokens in', '88px', (row) => row.inputTokens),
    numbers('output', 'Tokens out', '92px', (row) => row.outputTokens),
    {
      ...numbers('failed', 'Failed', '68px', (row) => row.failed),
      rank: 2,
      card: 'none',
      below: ({ failed }) => `${count(failed)} failed`,
    },
    {
      ...numbers('rejected', 'Rejected', '80px', (row) => row.rejected),
      rank: 5,
      card: 'none',
      below: ({ rejected }) => `${count(rejected)} rejected`,
    },
    { ...times('p50', 'First token, median', 'first token', (row) => row.latency?.ttft_p50_ms), rank: 6 },
    { ...times('p95', 'First token, p95', 'p95', (row) => row.latency?.ttft_p95_ms), rank: 7 },
    { ...times('total', 'Total time, median', 'total', (row) => row.latency?.duration_p50_ms), rank: 8 },
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
  cell: (row) => count(value(row)),
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
  cell: (row) => duration(value(row)),
  sortBy: (row) => value(row) ?? null,
  below: (row) => (value(row) == null ? '' : `${word} ${duration(value(row))}`),
});

/** The numbers of the charts, without times in which nothing was asked; a row unfolds into its groups. */
export function UsageTable({ series }: { readonly series: UsageSeries }) {
  const rows = useMemo(() => bucketRows(series).filter(({ requests }) => requests > 0), [series]);
  const columns = useMemo(() => columnsOf(series.bucket), [series.bucket]);
  return (
    <DataTable
      label="Usage"
      rows={rows}
      columns={columns}
      rowKey={({ start }) => start}
      details={groupsOf}
      empty={null}
    />
  );
}

function groupsOf({ groups }: BucketRow) {
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
