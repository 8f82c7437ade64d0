import { queryOf } from '../../core/args/query-of.js';
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printCsv } from '../../core/output/print-csv.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { localMinute } from '../../core/output/time.js';
import type { Schemas } from '../../core/api/management-api.types.js';

interface AuditOptions {
  readonly since?: Date;
  readonly until?: Date;
  readonly action?: string;
  readonly actor?: string;
  readonly object?: string;
  readonly limit?: number;
  readonly csv?: true;
}

const DEFAULT_LIMIT = 100;
/** Page size of the relay. */
const PAGE = 200;

const columns: readonly Column<Schemas['AuditEvent']>[] = [
  { heading: 'TIME', value: ({ created_at }) => localMinute(Date.parse(created_at) / 1_000), whole: true },
  { heading: 'WHO', value: ({ actor }) => actor.name ?? actor.user_id ?? actor.credential_id ?? actor.kind },
  { heading: 'ACTION', value: ({ action }) => action },
  { heading: 'WHAT', value: ({ target }) => target.id },
  { heading: 'DETAIL', value: ({ detail }) => describe(detail) },
  { heading: 'FROM', value: ({ ip }) => ip ?? '' },
];

export async function showAudit(invocation: Invocation, options: AuditOptions): Promise<void> {
  const api = await connect(invocation);
  const filter = {
    since: options.since?.toISOString(),
    until: options.until?.toISOString(),
    action: options.action,
    actor: options.actor,
    object: options.object,
  };
  if (options.csv === true) {
    printCsv(invocation, await api.text(`/api/audit${queryOf({ ...filter, format: 'csv' })}`, 'text/csv'));
    return;
  }
  const limit = options.limit ?? DEFAULT_LIMIT;
  const query = queryOf({ ...filter, limit: Math.min(limit, PAGE) });
  await printList(invocation, {
    rows: await api.list<Schemas['AuditEvent']>(`/api/audit${query}`, limit),
    columns,
    whenEmpty: 'nothing was changed in that time',
  });
}

const describe = (detail: Schemas['AuditEvent']['detail']): string =>
  Object.entries(detail)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
