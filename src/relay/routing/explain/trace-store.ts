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

class Generation {
  readonly tables: TraceTable[] = [];
  size = 0;
  bytes = 0;

  /** With room for a trace. */
  get table(): TraceTable {
    const last = this.tables.at(-1);
    if (last?.isFull === false) return last;
    const table = new TraceTable();
    this.tables.push(table);
    return table;
  }
}

/** A trace that may still change, and where it is. */
interface OpenTrace {
  readonly trace: RequestTrace;
  readonly generation: Generation;
  readonly table: TraceTable;
  readonly position: number;
}

/**
 * The traces of the latest requests, in two generations: when the younger holds half of the limit, the older is dropped whole. Those of
 * running requests are found by their id; a finished one is searched for, which happens only when somebody asks.
 */
export class TraceStore {
  private young = new Generation();
  private old = new Generation();
  private readonly open = new GenerationalMap<RequestId, OpenTrace>();
  private candidates = new CandidateTable();
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
    for (const { tables } of [this.young, this.old]) {
      for (const table of tables) {
        const trace = table.find(id);
        if (trace !== undefined) return trace;
      }
    }
    return undefined;
  }

  /** Oldest first. */
  *all(): Iterable<RequestTrace> {
    for (const { tables } of [this.old, this.young]) for (const table of tables) yield* table.all();
  }

  add(trace: RequestTrace): void {
    this.makeRoom(trace.bytes);
    const { young: generation } = this;
    const { table } = generation;
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
    const noted = this.candidates.note(candidates, chosen);
    if (noted !== undefined) return noted;
    this.candidates = new CandidateTable();
    const again = this.candidates.note(candidates, chosen);
    if (again === undefined) throw new Error('an empty table has room for every decision');
    return again;
  }

  private opened(id: RequestId): OpenTrace | undefined {
    return this.latest?.trace.id === id ? this.latest : this.open.get(id);
  }

  /** Before a new request: later growth of the latest requests may overshoot the limit. */
  private makeRoom(bytes: number): void {
    const { explainedRequests, explainedBytes } = this.limits;
    const { size, bytes: usedBytes } = this.young;
    if (size + 1 <= explainedRequests / 2 && usedBytes + bytes <= explainedBytes / 2) return;
    this.old = this.young;
    this.young = new Generation();
  }
}
