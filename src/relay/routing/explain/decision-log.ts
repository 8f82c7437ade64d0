import type { Clock } from '../../../kernel/clock.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { LeavingReason } from '../request/request-lifecycle-listener.js';
import type { ObservedRequest, RoutedRequest } from '../request/routed-request.js';
import type { RequestEnd } from '../request/outcome.js';
import type { Considered, Decision } from '../selection/decision.js';
import { ROW_BYTES } from './candidate-table.js';
import { listenerStateOf, type ListenerState } from './listener-state.js';
import type { AttemptNote, DecisionNote, RequestTrace } from './request-trace.js';
import { TraceStore, type OpenTrace, type TraceLimits } from './trace-store.js';

const TRACE_BYTES = 600;
const DECISION_BYTES = 120;
const ATTEMPT_BYTES = 160;
/** A waiting request is decided again whenever a slot is released: its first and its newest decisions are kept. */
const DECISIONS_KEPT = 6;

/** The decisions of the latest requests, in memory; the oldest request is evicted. Rendered on demand. */
export class DecisionLog {
  private readonly traces: TraceStore;

  constructor(
    private readonly clock: Clock,
    private readonly limits: TraceLimits,
    /** The obstacle at each placement of a request that no node may serve. */
    private readonly survey: (routed: RoutedRequest) => Decision,
    /** Called once with each finished trace, which is read at once or not at all. */
    private readonly onFinished?: (trace: RequestTrace) => void,
  ) {
    this.traces = new TraceStore(limits);
  }

  get size(): number {
    return this.traces.size;
  }

  get usedBytes(): number {
    return this.traces.usedBytes;
  }

  private get keepsNothing(): boolean {
    return this.limits.explainedRequests === 0;
  }

  /** Undefined for a request that is unknown, evicted, or another account's. */
  find(accountId: AccountId, id: RequestId): RequestTrace | undefined {
    const trace = this.traces.find(id);
    return trace?.accountId === accountId ? trace : undefined;
  }

  /** Newest first. A linear scan: not for a hot path. */
  newest(accountId: AccountId, limit: number): RequestTrace[] {
    const own: RequestTrace[] = [];
    for (const trace of this.traces.all()) if (trace.accountId === accountId) own.push(trace);
    return own.slice(-limit).reverse();
  }

  decided(request: ObservedRequest, { candidates, placements, chosen }: Decision): void {
    if (this.keepsNothing) return;
    const open = chosen === null && candidates.some(({ reason }) => reason === 'full');
    this.note(request, {
      atMs: this.clock.monotonicMs(),
      candidates: this.traces.noteCandidates(candidates, chosen),
      considered: candidates.length,
      placements,
      chosen: chosen?.placement.node.nodeId ?? null,
      reason:
        request.isHedge === true ? 'hedge' : chosen !== null ? whyChosen(chosen) : open ? 'all_full' : 'all_tried',
    });
  }

  undecided(request: ObservedRequest, error: FerryError): void {
    if (this.keepsNothing) return;
    const { candidates, placements } = this.survey(request.routed);
    this.note(request, {
      atMs: this.clock.monotonicMs(),
      candidates: this.traces.noteCandidates(candidates, null),
      considered: candidates.length,
      placements,
      chosen: null,
      reason: error.reason ?? error.code,
    });
  }

  queued(request: ObservedRequest, position: number): void {
    const open = traceStateOf(request).trace;
    if (open !== undefined) open.trace.position ??= position;
  }

  sent(request: ObservedRequest, { node }: Placement): void {
    const open = traceStateOf(request).trace;
    if (open === undefined) return;
    open.trace.attempts.push({
      nodeId: node.nodeId,
      nodeName: node.name,
      atMs: this.clock.monotonicMs(),
      result: 'running',
      reason: null,
      hedge: request.isHedge === true,
    });
    this.traces.grow(open, ATTEMPT_BYTES);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void {
    const { partOf, context } = request.routed;
    const attempt = runningOf(request, nodeId ?? (partOf && context.nodeId));
    if (attempt === undefined) return;
    attempt.result = reason;
    attempt.reason = detail;
  }

  ended(request: ObservedRequest, { outcome, error }: RequestEnd): void {
    if (request.routed.partOf !== undefined) {
      const attempt = runningOf(request, request.routed.context.nodeId);
      if (attempt !== undefined) {
        attempt.result = outcome;
        attempt.reason = error?.code ?? null;
      }
      return;
    }
    const state = listenerStateOf(request);
    const open = state.trace;
    if (open === undefined) return;
    state.trace = undefined;
    const { trace } = open;
    trace.outcome = outcome;
    trace.queuedMs = request.timeline.queuedMs;
    const attempt = trace.attempts.findLast(({ result }) => result === 'running');
    if (attempt !== undefined) {
      attempt.result = outcome;
      attempt.reason = error?.code ?? null;
    }
    this.onFinished?.(trace);
    this.traces.finish(open);
  }

  private note(request: ObservedRequest, decision: DecisionNote): void {
    const { partOf = request } = request.routed;
    const state = listenerStateOf(partOf);
    const open = (state.trace ??= this.begin(partOf.routed, decision.atMs));
    const { decisions } = open.trace;
    decisions.push(decision);
    const [, second] = decisions;
    if (decisions.length > DECISIONS_KEPT && second !== undefined) {
      decisions.splice(1, 1);
      this.traces.grow(open, -bytesOf(second));
    }
    this.traces.grow(open, bytesOf(decision));
  }

  private begin({ context, accountId, query }: RoutedRequest, decidedAtMs: number): OpenTrace {
    return this.traces.add({
      id: context.requestId,
      accountId,
      model: query.model,
      dialect: query.dialect,
      decidedAtWallMs: this.clock.wallMs(),
      decidedAtMs,
      decisions: [],
      attempts: [],
      outcome: null,
      queuedMs: 0,
      position: null,
      bytes: TRACE_BYTES,
    });
  }
}

/** A request and its parts have one trace. */
const traceStateOf = (request: ObservedRequest): ListenerState => listenerStateOf(request.routed.partOf ?? request);

/** The newest attempt that runs. @param nodeId undefined: on any node */
const runningOf = (request: ObservedRequest, nodeId: NodeId | undefined): AttemptNote | undefined =>
  traceStateOf(request).trace?.trace.attempts.findLast(
    (one) => one.result === 'running' && (nodeId ?? one.nodeId) === one.nodeId,
  );

const whyChosen = ({ reason }: Considered): string => (reason === 'suspect' ? 'least_bad' : 'cheapest');

const bytesOf = ({ candidates }: DecisionNote): number => DECISION_BYTES + candidates.count * ROW_BYTES;
