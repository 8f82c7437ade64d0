import { GenerationalMap } from '../../../kernel/generational-map.js';
import type { RequestId } from '../../../kernel/ids.js';
import { CandidateTable, type NotedCandidates } from './candidate-table.js';
import type { Considered } from '../selection/decision.js';
import type { RequestTrace } from './request-trace.js';
import { TraceTable } from './trace-table.js';

export interface TraceLimits {
  /** Requests, over all accounts. */
  readonly explainedRequests: number;
  /** Approximate bytes, over all requests. */
  readonly explainedBytes: number;
}

interface Generation {
  readonly traces: TraceTable[];
  /** Only traces of this generation and of older ones refer to them. */
  readonly candidates: CandidateTable[];
  size: number;
  bytes: number;
}

const newGeneration = (): Generation => ({ traces: [], candidates: [], size: 0, bytes: 0 });

/** A trace that may still change, and where it is. */
interface OpenTrace {
  readonly trace: RequestTrace;
  readonly generation: Generation;
  readonly table: TraceTable;
  readonly position: number;
}

/**
 * The traces of the latest requests, in two generations: when the younger holds half of the limit, the older is dropped whole. Those of
 * running requests are found by their id; a finished one is searched for, which happens only when somebody asks. The tables of a dropped
 * generation are used again: at thousands of requests a second, new ones are megabytes a second that only a full collection would free.
 */
export class TraceStore {
  private young = newGeneration();
  private old = newGeneration();
  /** Dropped, to be used again; no more than a generation had. */
  private spareTraces: TraceTable[] = [];
  private spareCandidates: CandidateTable[] = [];
  private readonly open = new GenerationalMap<RequestId, OpenTrace>();
  /** A request is looked up several times in the turn that decides it. */
  private latest: OpenTrace | undefined;

  constructor(private readonly limits: TraceLimits) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  get usedBytes(): number {
    return this.young.bytes + this.old.bytes;
  }

  /** Of a request that has not ended. */
  running(id: RequestId): RequestTrace | undefined {
    return this.opened(id)?.trace;
  }

  /** Of any request. Searches. */
  find(id: RequestId): RequestTrace | undefined {
    for (const { traces } of [this.young, this.old]) {
      for (const table of traces) {
        const trace = table.find(id);
        if (trace !== undefined) return trace;
      }
    }
    return undefined;
  }

  /** Oldest first. */
  *all(): Iterable<RequestTrace> {
    for (const { traces } of [this.old, this.young]) for (const table of traces) yield* table.all();
  }

  add(trace: RequestTrace): void {
    this.makeRoom(trace.bytes);
    const { young: generation } = this;
    const table = this.tableWithRoom(generation);
    this.latest = { trace, generation, table, position: table.add(trace) };
    this.open.set(trace.id, this.latest);
    generation.size += 1;
    generation.bytes += trace.bytes;
  }

  /** Of a running request. */
  grow(trace: RequestTrace, bytes: number): void {
    trace.bytes += bytes;
    const open = this.opened(trace.id);
    if (open !== undefined) open.generation.bytes += bytes;
  }

  /** The request has ended. */
  finish(trace: RequestTrace): void {
    const open = this.open.take(trace.id);
    if (this.latest === open) this.latest = undefined;
    open?.table.finish(open.position);
  }

  noteCandidates(candidates: readonly Considered[], chosen: Considered | null): NotedCandidates {
    const noted = this.young.candidates.at(-1)?.note(candidates, chosen);
    if (noted !== undefined) return noted;
    const table = this.spareCandidates.pop() ?? new CandidateTable();
    this.young.candidates.push(table);
    const again = table.note(candidates, chosen);
    if (again === undefined) throw new Error('an empty table has room for every decision');
    return again;
  }

  private tableWithRoom({ traces }: Generation): TraceTable {
    const last = traces.at(-1);
    if (last?.isFull === false) return last;
    const table = this.spareTraces.pop() ?? new TraceTable();
    traces.push(table);
    return table;
  }

  private opened(id: RequestId): OpenTrace | undefined {
    return this.latest?.trace.id === id ? this.latest : this.open.get(id);
  }

  /** Before a new request: later growth of the latest requests may overshoot the limit. */
  private makeRoom(bytes: number): void {
    const { explainedRequests, explainedBytes } = this.limits;
    const { size, bytes: usedBytes } = this.young;
    if (size + 1 <= explainedRequests / 2 && usedBytes + bytes <= explainedBytes / 2) return;
    const { traces, candidates } = this.old;
    this.old = this.young;
    this.young = newGeneration();
    // It stays the current one: the first trace of the new generation noted its candidates there already.
    const current = this.old.candidates.pop();
    if (current !== undefined) this.young.candidates.push(current);
    // One with a running request is left to the collector, because the end of the request writes to it.
    this.spareTraces = traces.filter(({ isFinished }) => isFinished);
    this.spareCandidates = candidates;
    for (const table of [...this.spareTraces, ...this.spareCandidates]) table.reuse();
  }
}
