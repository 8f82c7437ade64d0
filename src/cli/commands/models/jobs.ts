/** `ferry models jobs`: running and finished operations, and what to do about failed ones. */
import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { wholeId } from '../../core/args/whole-id.js';
import type { Invocation } from '../../invocation.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { isOperationId } from '../../../kernel/ids.js';
import { printable } from '../../../kernel/printable.js';
import type { Column, Mark } from '../../core/output/table.js';
import { timeColumn, unixSecondsOf } from '../../core/output/time.js';
import { detailOf } from './operation-progress.js';
import { shortId } from '../../core/output/short-id.js';
import { describeDoing, isOver, shortSubjectOf, subjectOf } from './operation.js';
import { printResult, watchOperation } from './watch-operation.js';
import type { Schemas } from '../../core/api/management-api.types.js';

/** Page size of the relay. */
const PAGE_JOBS = 200;

/** @param whole ids are not shortened */
const columns = (whole: boolean, timeOf: ReturnType<typeof timeColumn>): readonly Column<Schemas['Operation']>[] => [
  { heading: 'MODEL', value: (job) => (whole ? subjectOf(job) : shortSubjectOf(job)), min: 12 },
  { heading: 'KIND', value: ({ kind }) => kind, whole: true },
  { heading: 'NODE', value: ({ node_name }) => node_name },
  { heading: 'STATE', value: ({ state }) => state, whole: true },
  { heading: 'BEGAN', value: ({ created_at }) => timeOf(unixSecondsOf(created_at)), whole: true, expendable: 1 },
  { heading: 'PROGRESS', value: (job) => progressText(job, whole), sentence: true, optional: true, min: 16 },
  // A job has no name; `ferry models jobs watch` takes a part of it.
  { heading: 'JOB', value: ({ id }) => (whole ? id : shortId(id)), whole: true },
];

function progressText(job: Schemas['Operation'], whole: boolean): string {
  if (!isOver(job)) return detailOf(job);
  const message = job.failure?.message ?? '';
  const subject = `${subjectOf(job)} `;
  // The model has a column of its own; what went wrong comes behind it.
  return !whole && message.startsWith(subject) ? message.slice(subject.length) : message;
}

function markOfJob({ state }: Schemas['Operation']): Mark {
  switch (state) {
    case 'queued':
    case 'running':
      return 'working';
    case 'succeeded':
      return 'serving';
    case 'failed':
      return 'failed';
    // Cancelled, or a state that a newer relay knows.
    default:
      return 'off';
  }
}

export interface ListedJobs {
  readonly all?: true;
  readonly failed?: true;
}

export async function listJobs(invocation: Invocation, { all, failed }: ListedJobs): Promise<void> {
  const api = await connect(invocation);
  const { global, terminal } = invocation;
  const states =
    failed === true
      ? ({ state: 'failed', dismissed: 'false', since: '7d' } as const)
      : { state: all === true ? undefined : 'queued,running' };
  await printList(invocation, {
    rows: await api.list('/api/operations', { query: { limit: PAGE_JOBS, ...states } }),
    columns: columns(global.wide || terminal.columns === undefined, timeColumn(terminal)),
    mark: markOfJob,
    whenEmpty:
      failed === true
        ? 'no failed jobs within a week'
        : all === true
          ? 'no jobs yet'
          : 'no jobs under way; earlier ones: ferry models jobs --all',
  });
}

export async function cancelJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const path = { id: await wholeJobId(api, id) };
  const job = await api.post('/api/operations/{id}/cancel', { path, whenMissing: 'ferry models jobs' });
  const { terminal } = invocation;
  if (isOver(job)) terminal.note(`The job is over already: ${job.state}.`);
  else if (job.node_online) terminal.note(`${printable(describeDoing(job))} is being cancelled.`);
  else terminal.note(`${printable(job.node_name)} is offline; it is told to stop when it is back.`);
  await printData(invocation, job, silently);
}

export async function watchJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const job = await api.get('/api/operations/{id}', {
    path: { id: await wholeJobId(api, id) },
    whenMissing: 'ferry models jobs --all',
  });
  await printResult(invocation, await watchOperation(invocation, api, job));
}

/** Another job with the same parameters, which is watched. */
export async function retryJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const path = { id: await wholeJobId(api, id) };
  const job = await api.post('/api/operations/{id}/retry', { path, whenMissing: 'ferry models jobs --failed' });
  await printResult(invocation, await watchOperation(invocation, api, job));
}

export async function dismissJob(invocation: Invocation, id: string): Promise<void> {
  const api = await connect(invocation);
  const path = { id: await wholeJobId(api, id) };
  const job = await api.post('/api/operations/{id}/dismiss', { path, whenMissing: 'ferry models jobs --failed' });
  const { terminal } = invocation;
  if (job.state === 'failed') terminal.note(`The failure of ${printable(subjectOf(job))} is dismissed.`);
  else terminal.note(`The job has not failed: ${job.state}.`);
  await printData(invocation, job, silently);
}

async function wholeJobId(api: ManagementApi, given: string): Promise<string> {
  if (isOperationId(given)) return given;
  const jobs = await api.list('/api/operations', { query: { limit: PAGE_JOBS }, limit: PAGE_JOBS });
  return wholeId(
    jobs.map(({ id }) => id),
    given,
    'jobs',
  );
}
