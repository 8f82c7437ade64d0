import { findCluster } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printCsv } from '../../core/output/print-csv.js';
import { printData } from '../../core/output/print-data.js';
import { renderTable, type Column } from '../../core/output/table.js';
import { formatCount } from '../../core/output/quantities.js';
import { localMinute, unixSecondsOf } from '../../core/output/time.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface UsageOptions {
  /** Takes the relay's format: `7d`, or ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly by: Schemas['Usage']['by'];
  readonly cluster?: string;
  readonly csv?: true;
}

type Row = Schemas['Usage']['totals'] & { readonly label: string };

/** @param zeros shows columns, too, that have nothing but zeros: in a pipe the columns are always the same */
const columnsBy = ({ by, totals }: Schemas['Usage'], zeros: boolean): readonly Column<Row>[] => [
  { heading: by.toUpperCase(), value: ({ label }) => label, min: 12 },
  { heading: 'REQUESTS', value: ({ requests }) => formatCount(requests), align: 'right' },
  { heading: 'FAILED', value: ({ failed }) => formatCount(failed), align: 'right' },
  { heading: 'CANCELLED', value: ({ cancelled }) => formatCount(cancelled), align: 'right', expendable: 2 },
  ...(zeros || totals.timed_out > 0 ? [counted('TIMED OUT', ({ timed_out }) => timed_out)] : []),
  ...(zeros || totals.rejected > 0 ? [counted('REJECTED', ({ rejected }) => rejected)] : []),
  { heading: 'TOKENS IN', value: ({ input_tokens }) => formatCount(input_tokens), align: 'right' },
  { heading: 'CACHED', value: ({ cached_tokens }) => formatCount(cached_tokens), align: 'right', expendable: 3 },
  { heading: 'TOKENS OUT', value: ({ output_tokens }) => formatCount(output_tokens), align: 'right' },
  {
    heading: 'REASONING',
    value: ({ reasoning_tokens }) => formatCount(reasoning_tokens),
    align: 'right',
    expendable: 4,
  },
];

const counted = (heading: string, countOf: (row: Row) => number): Column<Row> => ({
  heading,
  value: (row) => formatCount(countOf(row)),
  align: 'right',
  expendable: 1,
});

export async function showUsage(invocation: Invocation, options: UsageOptions): Promise<void> {
  const api = await connect(invocation);
  const query = {
    since: options.since,
    until: options.until,
    by: options.by,
    cluster_id: options.cluster === undefined ? undefined : await findCluster(api, options.cluster),
  };
  if (options.csv === true) {
    printCsv(invocation, await api.text('/api/usage', 'text/csv', { query: { ...query, format: 'csv' } }));
    return;
  }
  const usage = await api.get('/api/usage', { query });
  const { terminal } = invocation;
  await printData(invocation, usage, () => {
    const rows = usage.data.map((row): Row => ({ ...row, label: labelOf(usage.by, row) }));
    terminal.note(
      `Usage from ${localMinute(unixSecondsOf(usage.since))} to ${localMinute(unixSecondsOf(usage.until))}`,
    );
    const all = rows.length > 1 ? [...rows, { ...usage.totals, label: 'total' }] : rows;
    terminal.print(
      renderTable(columnsBy(usage, terminal.columns === undefined), all, terminal.stdoutColors, terminal.columns),
    );
    if (rows.length === 0) terminal.note('no requests in that time');
    const { estimated_requests: estimated } = usage.totals;
    if (estimated > 0)
      terminal.note(
        `The tokens of ${formatCount(estimated)} requests are estimates: their engines did not report them.`,
      );
  });
}

/** Hours in the reader's time zone. */
const labelOf = (by: Schemas['Usage']['by'], { key, name }: Schemas['Usage']['data'][number]): string =>
  by === 'hour' && key !== null ? localMinute(unixSecondsOf(key)) : (name ?? key ?? `no ${by}`);
