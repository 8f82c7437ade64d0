import type { Clock } from '../../../kernel/clock.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { LeavingReason, ObservedRequest } from '../request/request-lifecycle-listener.js';
import type { RoutedRequest } from '../request/routed-request.js';
import type { RequestEnd } from '../request/outcome.js';
import type { Considered, Decision } from '../selection/decision.js';
import { ROW_BYTES } from './candidate-table.js';
import type { DecisionNote, RequestTrace } from './request-trace.js';
import { TraceStore, type TraceLimits } from './trace-store.js';

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

  queued({ routed }: ObservedRequest, position: number): void {
    const trace = this.traces.running(routed.context.requestId);
    if (trace !== undefined) trace.position ??= position;
  }

  asked({ routed, isHedge = false }: ObservedRequest, { node }: Placement): void {
    const trace = this.traces.running(routed.context.requestId);
    if (trace === undefined) return;
    trace.attempts.push({
      nodeId: node.nodeId,
      nodeName: node.name,
      atMs: this.clock.monotonicMs(),
      result: 'running',
      reason: null,
      hedge: isHedge,
    });
    this.traces.grow(trace, ATTEMPT_BYTES);
  }

  left({ routed }: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void {
    const attempts = this.traces.running(routed.context.requestId)?.attempts;
    const attempt = attempts?.findLast((one) => one.result === 'running' && (nodeId ?? one.nodeId) === one.nodeId);
    if (attempt === undefined) return;
    attempt.result = reason;
    attempt.reason = detail;
  }

  ended({ routed, timeline }: ObservedRequest, { outcome, error }: RequestEnd): void {
    const trace = this.traces.running(routed.context.requestId);
    if (trace === undefined) return;
    trace.outcome = outcome;
    trace.queuedMs = timeline.queuedMs;
    const attempt = trace.attempts.findLast(({ result }) => result === 'running');
    if (attempt !== undefined) {
      attempt.result = outcome;
      attempt.reason = error?.code ?? null;
    }
    this.traces.finish(trace);
  }

  private note({ routed }: ObservedRequest, decision: DecisionNote): void {
    const { requestId } = routed.context;
    let trace = this.traces.running(requestId);
    if (trace === undefined) {
      trace = {
        id: requestId,
        accountId: routed.accountId,
        model: routed.query.model,
        dialect: routed.query.dialect,
        decidedAtWallMs: this.clock.wallMs(),
        decidedAtMs: decision.atMs,
        decisions: [],
        attempts: [],
        outcome: null,
        queuedMs: 0,
        position: null,
        bytes: TRACE_BYTES,
      };
      this.traces.add(trace);
    }
    trace.decisions.push(decision);
    const [, second] = trace.decisions;
    if (trace.decisions.length > DECISIONS_KEPT && second !== undefined) {
      trace.decisions.splice(1, 1);
      this.traces.grow(trace, -bytesOf(second));
    }
    this.traces.grow(trace, bytesOf(decision));
  }
}

const whyChosen = ({ reason }: Considered): string => (reason === 'suspect' ? 'least_bad' : 'cheapest');

const bytesOf = ({ candidates }: DecisionNote): number => DECISION_BYTES + candidates.count * ROW_BYTES;
