import type { RequestId } from '../../../kernel/ids.js';
import { CandidateTable, type RecordedCandidates } from './candidate-table.js';
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
export interface OpenTrace {
  readonly trace: RequestTrace;
  readonly generation: Generation;
  readonly table: TraceTable;
  readonly position: number;
}

/**
 * The traces of the latest requests, in two generations: when the younger holds half of the limit, the older is dropped whole. That of a
 * running request is kept by whoever added it; by its id it is searched for, which happens only when somebody asks. The tables of a dropped
 * generation are used again: at thousands of requests a second, new ones are megabytes a second that only a full collection would free.
 */
export class TraceStore {
  private young = newGeneration();
  private old = newGeneration();
  /** Dropped, to be used again; no more than a generation had. */
  private spareTraces: TraceTable[] = [];
  private spareCandidates: CandidateTable[] = [];

  constructor(private readonly limits: TraceLimits) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  get usedBytes(): number {
    return this.young.bytes + this.old.bytes;
  }

  /** Finds the trace of any request by a search. */
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

  /** @returns until its request ends, for {@link grow} and {@link finish} */
  add(trace: RequestTrace): OpenTrace {
    this.makeRoom(trace.bytes);
    const { young: generation } = this;
    const table = this.tableWithRoom(generation);
    generation.size += 1;
    generation.bytes += trace.bytes;
    return { trace, generation, table, position: table.add(trace) };
  }

  grow({ trace, generation }: OpenTrace, bytes: number): void {
    trace.bytes += bytes;
    generation.bytes += bytes;
  }

  /** The request has ended. */
  finish({ table, position }: OpenTrace): void {
    table.finish(position);
  }

  noteCandidates(candidates: readonly Considered[], chosen: Considered | null): RecordedCandidates {
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
