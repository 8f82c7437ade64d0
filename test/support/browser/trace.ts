/** The trace events of Chromium. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Processor time of the thread, in microseconds. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** @returns milliseconds of the main threads of pages @throws when the trace has no tasks */
export function longestTaskOf(trace: Buffer): number {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { readonly traceEvents: readonly TraceEvent[] };
  const threadOf = ({ pid, tid }: TraceEvent): string => `${pid} ${tid}`;
  const mainThreads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map((event) => threadOf(event)),
  );
  const tasks = traceEvents.flatMap((event) =>
    event.name.endsWith('RunTask') && event.tdur !== undefined && mainThreads.has(threadOf(event)) ? [event.tdur] : [],
  );
  if (tasks.length === 0) throw new Error('the trace has no tasks of a page');
  return tasks.reduce((longest, microseconds) => Math.max(longest, microseconds), 0) / 1_000;
}
