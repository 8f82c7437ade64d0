import { queryOf } from '../../core/args/query-of.js';
import { findCluster } from '../clusters/find-cluster.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printCsv } from '../../core/output/print-csv.js';
import { printData } from '../../core/output/print-data.js';
import { renderTable, type Column } from '../../core/output/table.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface UsageOptions {
  /** In the relay's format: `7d`, or ISO 8601. */
  readonly since?: string;
  readonly until?: string;
  readonly by: Schemas['Usage']['by'];
  readonly cluster?: string;
  readonly csv?: true;
}

type Row = Schemas['Usage']['totals'] & { readonly label: string };

const count = (value: number): string => value.toLocaleString('en-US').replaceAll(',', ' ');

const columnsBy = (by: Schemas['Usage']['by']): readonly Column<Row>[] => [
  { heading: by.toUpperCase(), value: ({ label }) => label },
  { heading: 'REQUESTS', value: ({ requests }) => count(requests) },
  { heading: 'FAILED', value: ({ failed }) => count(failed) },
  { heading: 'CANCELLED', value: ({ cancelled }) => count(cancelled) },
  { heading: 'INPUT', value: ({ input_tokens }) => count(input_tokens) },
  { heading: 'CACHED', value: ({ cached_tokens }) => count(cached_tokens) },
  { heading: 'OUTPUT', value: ({ output_tokens }) => count(output_tokens) },
  { heading: 'REASONING', value: ({ reasoning_tokens }) => count(reasoning_tokens) },
];

export async function showUsage(invocation: Invocation, options: UsageOptions): Promise<void> {
  const api = await connect(invocation);
  const parameters = {
    since: options.since,
    until: options.until,
    by: options.by,
    cluster_id: options.cluster === undefined ? undefined : await findCluster(api, options.cluster),
  };
  if (options.csv === true) {
    printCsv(invocation, await api.text(`/api/usage${queryOf({ ...parameters, format: 'csv' })}`, 'text/csv'));
    return;
  }
  const usage = await api.get<Schemas['Usage']>(`/api/usage${queryOf(parameters)}`);
  const { terminal } = invocation;
  await printData(invocation, usage, () => {
    const rows = usage.data.map((row): Row => ({ ...row, label: row.name ?? row.key ?? '' }));
    const all = rows.length > 1 ? [...rows, { ...usage.totals, label: 'total' }] : rows;
    terminal.print(renderTable(columnsBy(usage.by), all, terminal.stdoutColors, terminal.columns));
    if (rows.length === 0) terminal.note('nothing was asked in that time');
    const { estimated_requests: estimated } = usage.totals;
    if (estimated > 0) terminal.note(`The tokens of ${count(estimated)} requests are estimates: no engine told them.`);
  });
}
