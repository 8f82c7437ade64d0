import type { Clock } from '../../../kernel/clock.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { AccountId, NodeId, RequestId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { CourseObserver, LeavingReason, ObservedRequest } from '../request/course-observer.js';
import type { InferenceOrder } from '../request/inference-order.js';
import type { Ending } from '../request/outcome.js';
import type { Decision } from '../selection/decision.js';
import { candidateNotes, type DecisionNote, type RequestTrace } from './request-trace.js';

export interface DecisionLogLimits {
  /** Requests of all accounts together. */
  readonly explainedRequests: number;
  /** About what they may take together. */
  readonly explainedBytes: number;
}

const TRACE_BYTES = 600;
const DECISION_BYTES = 120;
const CANDIDATE_BYTES = 200;
const ATTEMPT_BYTES = 160;
/** A request that waits is decided again whenever a slot becomes free: its first decision and the newest ones tell enough. */
const DECISIONS_KEPT = 6;

/** Every decision of the last requests, in memory: the oldest request gives way. Rendered only when somebody asks. */
export class DecisionLog implements CourseObserver {
  /**
   * Two generations: when the younger is half of what may be kept, the older is dropped whole. Forgetting one by one from the front of a
   * large map costs more than all the rest.
   */
  private young = new Map<RequestId, RequestTrace>();
  private old = new Map<RequestId, RequestTrace>();
  private youngBytes = 0;
  private oldBytes = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: DecisionLogLimits,
    /** What stood in the way at each placement of a request that nobody may serve. */
    private readonly survey: (order: InferenceOrder) => Decision,
  ) {}

  get size(): number {
    return this.young.size + this.old.size;
  }

  get usedBytes(): number {
    return this.youngBytes + this.oldBytes;
  }

  /** Undefined for a request that is unknown, forgotten, or another account's. */
  find(accountId: AccountId, id: RequestId): RequestTrace | undefined {
    const trace = this.traceOf(id);
    return trace?.accountId === accountId ? trace : undefined;
  }

  /** Newest first. Walks what is kept: for people, not for programs. */
  newest(accountId: AccountId, limit: number): RequestTrace[] {
    const own: RequestTrace[] = [];
    for (const traces of [this.old, this.young]) {
      for (const trace of traces.values()) if (trace.accountId === accountId) own.push(trace);
    }
    return own.slice(-limit).reverse();
  }

  decided(request: ObservedRequest, { candidates, chosen }: Decision): void {
    const open = chosen === null && candidates.some(({ reason }) => reason === 'full');
    this.note(request, {
      atMs: this.clock.monotonicMs(),
      candidates: candidateNotes(candidates, chosen),
      chosen: chosen?.placement.node.nodeId ?? null,
      reason: request.isHedge === true ? 'hedge' : chosen !== null ? 'cheapest' : open ? 'all_full' : 'all_tried',
    });
  }

  undecided(request: ObservedRequest, error: FerryError): void {
    const { candidates } = this.survey(request.order);
    this.note(request, {
      atMs: this.clock.monotonicMs(),
      candidates: candidateNotes(candidates, null),
      chosen: null,
      reason: error.reason ?? error.code,
    });
  }

  queued({ order }: ObservedRequest, position: number): void {
    const trace = this.traceOf(order.context.requestId);
    if (trace !== undefined) trace.position ??= position;
  }

  asked({ order, isHedge = false }: ObservedRequest, { node }: Placement): void {
    const trace = this.traceOf(order.context.requestId);
    if (trace === undefined) return;
    trace.attempts.push({
      nodeId: node.nodeId,
      nodeName: node.name,
      atMs: this.clock.monotonicMs(),
      result: 'running',
      reason: null,
      hedge: isHedge,
    });
    this.grow(trace, ATTEMPT_BYTES);
  }

  begun(): void {
    return;
  }

  followed(): void {
    return;
  }

  left({ order }: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void {
    const attempts = this.traceOf(order.context.requestId)?.attempts;
    const attempt = attempts?.findLast((one) => one.result === 'running' && (nodeId ?? one.nodeId) === one.nodeId);
    if (attempt === undefined) return;
    attempt.result = reason;
    attempt.reason = detail;
  }

  ended({ order, timeline }: ObservedRequest, { outcome, error }: Ending): void {
    const trace = this.traceOf(order.context.requestId);
    if (trace === undefined) return;
    trace.outcome = outcome;
    trace.queuedMs = timeline.queuedMs;
    const attempt = trace.attempts.findLast(({ result }) => result === 'running');
    if (attempt === undefined) return;
    attempt.result = outcome;
    attempt.reason = error?.code ?? null;
  }

  private note({ order }: ObservedRequest, decision: DecisionNote): void {
    if (this.limits.explainedRequests === 0) return;
    const { requestId } = order.context;
    let trace = this.traceOf(requestId);
    if (trace === undefined) {
      trace = {
        id: requestId,
        accountId: order.accountId,
        model: order.question.model,
        dialect: order.question.dialect,
        decidedAtWallMs: this.clock.wallMs(),
        decidedAtMs: decision.atMs,
        decisions: [],
        attempts: [],
        outcome: null,
        queuedMs: 0,
        position: null,
        bytes: TRACE_BYTES,
      };
      this.makeRoom();
      this.young.set(requestId, trace);
      this.youngBytes += TRACE_BYTES;
    }
    trace.decisions.push(decision);
    const [, second] = trace.decisions;
    if (trace.decisions.length > DECISIONS_KEPT && second !== undefined) {
      trace.decisions.splice(1, 1);
      this.grow(trace, -bytesOf(second));
    }
    this.grow(trace, bytesOf(decision));
  }

  private traceOf(id: RequestId): RequestTrace | undefined {
    return this.young.get(id) ?? this.old.get(id);
  }

  private grow(trace: RequestTrace, bytes: number): void {
    trace.bytes += bytes;
    if (this.young.has(trace.id)) this.youngBytes += bytes;
    else this.oldBytes += bytes;
  }

  /** Before a new request: what the last ones have grown by since is what bounds overshoot by. */
  private makeRoom(): void {
    const { explainedRequests, explainedBytes } = this.limits;
    if (this.young.size + 1 <= explainedRequests / 2 && this.youngBytes + TRACE_BYTES <= explainedBytes / 2) return;
    this.old = this.young;
    this.oldBytes = this.youngBytes;
    this.young = new Map();
    this.youngBytes = 0;
  }
}

const bytesOf = ({ candidates }: DecisionNote): number => DECISION_BYTES + candidates.length * CANDIDATE_BYTES;
