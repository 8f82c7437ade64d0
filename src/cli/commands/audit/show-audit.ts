import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printCsv } from '../../core/output/print-csv.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { timeColumn, unixSecondsOf } from '../../core/output/time.js';
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

/** @param whole ids are told, too, where there is a name */
const columns = (whole: boolean, timeOf: ReturnType<typeof timeColumn>): readonly Column<Schemas['AuditEvent']>[] => [
  { heading: 'WHEN', value: ({ created_at }) => timeOf(unixSecondsOf(created_at)), whole: true },
  { heading: 'WHO', value: ({ actor }) => actor.name ?? actor.user_id ?? actor.credential_id ?? actor.kind, min: 12 },
  { heading: 'ACTION', value: ({ action }) => action, whole: true },
  { heading: 'WHAT', value: ({ target, detail }) => nameIn(detail) ?? target.id, min: 14 },
  { heading: 'DETAIL', value: ({ detail }) => describe(detail, whole), sentence: true, min: 20, expendable: 1 },
  { heading: 'FROM', value: ({ ip }) => ip ?? '', whole: true, expendable: 2 },
  { heading: 'ID', value: ({ target }) => target.id, whole: true, wide: true },
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
    printCsv(invocation, await api.text('/api/audit', 'text/csv', { query: { ...filter, format: 'csv' } }));
    return;
  }
  const limit = options.limit ?? DEFAULT_LIMIT;
  const query = { ...filter, limit: Math.min(limit, PAGE) };
  await printList(invocation, {
    rows: await api.list('/api/audit', { query, limit }),
    columns: columns(
      invocation.global.wide || invocation.terminal.columns === undefined,
      timeColumn(invocation.terminal),
    ),
    whenEmpty: 'nothing was changed in that time',
  });
}

/** These name the model of an operation or a request. */
const naming = ['name', 'model'] as const;

function nameIn(detail: Schemas['AuditEvent']['detail']): string | undefined {
  const name = detail[namedBy(detail) ?? ''];
  return typeof name === 'string' ? name : undefined;
}

const namedBy = (detail: Schemas['AuditEvent']['detail']): string | undefined =>
  naming.find((field) => typeof detail[field] === 'string' && detail[field] !== '');

/** Shows the changed fields; the name has a column of its own, and an id says nothing to people. */
const describe = (detail: Schemas['AuditEvent']['detail'], whole: boolean): string =>
  Object.entries(detail)
    .filter(([field, value]) => value !== null && value !== '' && field !== namedBy(detail))
    .filter(([field]) => whole || !field.endsWith('_id'))
    .map(([field, value]) => `${field}=${String(value)}`)
    .join(' ');
