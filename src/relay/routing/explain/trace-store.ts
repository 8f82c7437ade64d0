import type { RequestId } from '../../../kernel/ids.js';
import { CandidateTable, type NotedCandidates } from './candidate-table.js';
import type { Considered } from '../selection/decision.js';
import type { RequestTrace } from './request-trace.js';

export interface TraceLimits {
  /** Requests, over all accounts. */
  readonly explainedRequests: number;
  /** Approximate bytes, over all requests. */
  readonly explainedBytes: number;
}

interface Generation {
  readonly traces: Map<RequestId, RequestTrace>;
  bytes: number;
}

const newGeneration = (): Generation => ({ traces: new Map(), bytes: 0 });

/**
 * The traces of the latest requests, in two generations: when the younger holds half of the limit, the older is dropped whole. Evicting
 * entries one by one from the front of a large map costs more than everything else here.
 */
export class TraceStore {
  private young = newGeneration();
  private old = newGeneration();
  private table = new CandidateTable();
  /** A request is looked up several times in the turn that decides it. */
  private latest: RequestTrace | undefined;

  constructor(private readonly limits: TraceLimits) {}

  get size(): number {
    return this.young.traces.size + this.old.traces.size;
  }

  get usedBytes(): number {
    return this.young.bytes + this.old.bytes;
  }

  get(id: RequestId): RequestTrace | undefined {
    if (this.latest?.id === id) return this.latest;
    return this.young.traces.get(id) ?? this.old.traces.get(id);
  }

  /** Oldest first. */
  *all(): Iterable<RequestTrace> {
    yield* this.old.traces.values();
    yield* this.young.traces.values();
  }

  add(trace: RequestTrace): void {
    this.makeRoom(trace.bytes);
    this.young.traces.set(trace.id, trace);
    this.young.bytes += trace.bytes;
    this.latest = trace;
  }

  grow(trace: RequestTrace, bytes: number): void {
    trace.bytes += bytes;
    // Nearly always the one that was added last.
    if (trace === this.latest || this.young.traces.has(trace.id)) this.young.bytes += bytes;
    else this.old.bytes += bytes;
  }

  noteCandidates(candidates: readonly Considered[], chosen: Considered | null): NotedCandidates {
    const noted = this.table.note(candidates, chosen);
    if (noted !== undefined) return noted;
    this.table = new CandidateTable();
    const again = this.table.note(candidates, chosen);
    if (again === undefined) throw new Error('an empty table has room for every decision');
    return again;
  }

  /** Before a new request: later growth of the latest requests may overshoot the limit. */
  private makeRoom(bytes: number): void {
    const { explainedRequests, explainedBytes } = this.limits;
    const { traces, bytes: usedBytes } = this.young;
    if (traces.size + 1 <= explainedRequests / 2 && usedBytes + bytes <= explainedBytes / 2) return;
    this.old = this.young;
    this.young = newGeneration();
  }
}
