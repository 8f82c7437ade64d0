/** `ferry models jobs`: running and finished operations. */
import { connect } from '../../core/api/connect.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { printable } from '../../../kernel/printable.js';
import type { Column } from '../../core/output/table.js';
import { localMinute } from '../../core/output/time.js';
import { detailOf } from './operation-progress.js';
import { describeDoing, isOver, subjectOf } from './operation.js';
import { printResult, watchOperation } from './watch-operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Page size of the relay. */
const PAGE_JOBS = 200;

const columns: readonly Column<Schemas['Operation']>[] = [
  { heading: 'JOB', value: ({ id }) => id },
  { heading: 'KIND', value: ({ kind }) => kind },
  { heading: 'MODEL', value: subjectOf },
  { heading: 'NODE', value: ({ node_name }) => node_name },
  { heading: 'STATE', value: ({ state }) => state },
  { heading: 'BEGAN', value: ({ created_at }) => localMinute(Date.parse(created_at) / 1_000) },
  { heading: 'PROGRESS', value: (job) => (isOver(job) ? (job.failure?.message ?? '') : detailOf(job)) },
];

export async function listJobs(invocation: Invocation, { all }: { readonly all?: true }): Promise<void> {
  const api = await connect(invocation);
  const states = all === true ? '' : '&state=queued,running';
  await printList(invocation, {
    rows: await api.list<Schemas['Operation']>(`/api/operations?limit=${String(PAGE_JOBS)}${states}`),
    columns,
    whenEmpty: all === true ? 'no jobs yet' : 'no jobs under way; earlier ones: ferry models jobs --all',
  });
}

export async function cancelJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const path = `/api/operations/${encodeURIComponent(id)}/cancel`;
  const job = await api.post<Schemas['Operation']>(path, {}, 'ferry models jobs');
  const { terminal } = invocation;
  if (isOver(job)) terminal.note(`The job is over already: ${job.state}.`);
  else if (job.node_online) terminal.note(`${printable(describeDoing(job))} is being cancelled.`);
  else terminal.note(`${printable(job.node_name)} is offline; it is told to stop when it is back.`);
  await printData(invocation, job, silently);
}

export async function watchJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const job = await api.get<Schemas['Operation']>(
    `/api/operations/${encodeURIComponent(id)}`,
    'ferry models jobs --all',
  );
  await printResult(invocation, await watchOperation(invocation, api, job));
}
