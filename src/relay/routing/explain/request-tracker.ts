import type { Clock } from '../../../kernel/clock.js';
import { isContractDialect } from '../../../kernel/dialect.js';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import { slotAt } from '../selection/capacity.js';
import type { EngineRun } from '../admission/learned-slots.js';
import { usedElsewhere, type Occupancy } from '../admission/occupancy.js';
import { unknownProfile } from '../selection/costing.js';
import type { Decision } from '../selection/decision.js';
import type { FreePlacement } from '../selection/placement-finder.js';
import type { AttemptRecord, RoutingStats } from '../selection/routing-stats.js';
import type { RequestLifecycleListener, LeavingReason } from '../request/request-lifecycle-listener.js';
import type { ObservedRequest } from '../request/routed-request.js';
import type { DecisionLog } from './decision-log.js';
import { listenerStateOf } from './listener-state.js';
import type { FaultSubject } from '../prediction/attempt-prediction.js';
import { type RequestEnd, verdictOf } from '../request/outcome.js';

/** Hears of each response how much later it was here than at its node: network, and what waits in this process. */
export interface DelayListener {
  passed(delayMs: number): void;
}

/** The listener of all requests: keeps the attempts under way, and informs the statistics and the decision log. */
export class RequestTracker implements RequestLifecycleListener {
  private attempts = 0;

  constructor(
    private readonly stats: RoutingStats,
    private readonly log: DecisionLog,
    private readonly occupancy: Pick<Occupancy<unknown>, 'busy'>,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly delays?: DelayListener,
  ) {}

  /** Number of dispatched requests, hedges included. */
  get live(): number {
    return this.attempts;
  }

  decided(request: ObservedRequest, decision: Decision): void {
    this.log.decided(request, decision);
  }

  undecided(request: ObservedRequest, error: FerryError): void {
    this.log.undecided(request, error);
  }

  queued(request: ObservedRequest, position: number): void {
    this.log.queued(request, position);
  }

  sent(request: ObservedRequest, found: FreePlacement): void {
    // The times of an extension's requests say nothing about the speed at which the model reads and writes.
    if (isContractDialect(request.routed.query.dialect)) {
      const profile = request.routed.profile ?? unknownProfile;
      this.keep(request, this.stats.sent(found, profile, this.others(found)));
    }
    this.log.sent(request, found.placement);
  }

  begun(request: ObservedRequest): void {
    const record = recordOf(request);
    if (record !== undefined) this.stats.begun(record, request.routed.context.firstByteAtMs);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string): void {
    const record = this.take(request);
    this.log.left(request, reason, detail, record?.placement.node.nodeId);
    if (record === undefined) return;
    if (reason !== 'refused') this.stats.slots.stopped(record.placement);
    else if (detail === 'busy') this.stats.slots.full(this.runOf(record));
    const blamed = reason === 'lost' ? (detail === 'node_disconnected' ? 'node' : 'model') : null;
    const silent = {
      completed: false,
      faultSubject: blamed,
      firstEventMs: null,
      totalMs: this.ageMs(record),
      inputTokens: null,
      cachedTokens: null,
      outputTokens: null,
    } as const;
    this.stats.ended(record, this.others(record), reason === 'refused' ? null : silent);
  }

  followed(request: ObservedRequest, hedge: ObservedRequest): void {
    const record = this.take(hedge);
    if (record !== undefined) this.keep(request, record);
  }

  /** Milliseconds until a request without an event counts as stalled; null: it is not dispatched. */
  stallInMs(request: ObservedRequest, stallMs: number): number | null {
    const record = recordOf(request);
    return record === undefined ? null : this.stats.stallInMs(record, stallMs);
  }

  /** Milliseconds until the first event is later than the p95 of its node; null: unknown. */
  lateInMs(request: ObservedRequest): number | null {
    const record = recordOf(request);
    return record === undefined ? null : this.stats.lateInMs(record);
  }

  ended(request: ObservedRequest, attemptOutcome: RequestEnd): void {
    this.log.ended(request, attemptOutcome);
    const record = this.take(request);
    if (record === undefined) return;
    const { outcome, error, timings } = attemptOutcome;
    if (outcome === 'completed' && timings !== undefined) this.delays?.passed(this.ageMs(record) - timings.total_ms);
    const usage = attemptOutcome.usage?.source === 'estimated' ? null : attemptOutcome.usage;
    if (attemptOutcome.reset !== null) this.stats.slots.stopped(record.placement);
    this.stats.ended(record, this.others(record), {
      completed: outcome === 'completed',
      faultSubject: faultSubjectOf(attemptOutcome),
      overloaded: error?.code === 'engine_rejected_request' && error.status === 429,
      firstEventMs: timings?.first_event_ms ?? null,
      totalMs: timings?.total_ms ?? this.ageMs(record),
      inputTokens: usage?.input_tokens ?? null,
      cachedTokens: usage?.cached_tokens ?? null,
      outputTokens: usage?.output_tokens ?? null,
    });
  }

  private keep(request: ObservedRequest, record: AttemptRecord): void {
    if (recordOf(request) === undefined) this.attempts += 1;
    const state = listenerStateOf(request);
    if (request.isHedge === true) state.hedge = record;
    else state.attempt = record;
  }

  private take(request: ObservedRequest): AttemptRecord | undefined {
    const record = recordOf(request);
    if (record === undefined) return undefined;
    this.attempts -= 1;
    const state = listenerStateOf(request);
    if (request.isHedge === true) state.hedge = undefined;
    else state.attempt = undefined;
    return record;
  }

  /** At the same engine, through any replica. Without the request itself. */
  private others({ placement }: Pick<AttemptRecord, 'placement'>): number {
    return Math.max(0, this.occupancy.busy(slotAt(placement)) - 1) + (usedElsewhere(placement) ?? 0);
  }

  private runOf(record: AttemptRecord): EngineRun {
    return { placement: record.placement, others: this.others(record), startedAtMs: record.forecast.sentAtMs };
  }

  private ageMs({ forecast }: AttemptRecord): number {
    return this.clock.monotonicMs() - forecast.sentAtMs;
  }
}

const recordOf = (request: ObservedRequest): AttemptRecord | undefined =>
  request.isHedge === true ? listenerStateOf(request).hedge : listenerStateOf(request).attempt;

function faultSubjectOf(attemptOutcome: RequestEnd): FaultSubject {
  const verdict = verdictOf(attemptOutcome);
  switch (verdict) {
    case 'node_failed':
      return 'node';
    case 'model_failed':
      return 'model';
    case 'good':
    case 'none':
      return null;
    default:
      return verdict satisfies never;
  }
}
