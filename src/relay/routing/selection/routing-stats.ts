import type { Clock } from '../../../kernel/clock.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { LearnedSlots } from '../admission/learned-slots.js';
import { AffinityCache } from '../affinity/affinity-cache.js';
import type { AffinityKeys } from '../affinity/affinity-keys.js';
import type { AttemptForecast } from '../prediction/attempt-forecast.js';
import type { AttemptEnd } from '../prediction/attempt-prediction.js';
import { CompletionPredictor, type RestoredRates } from '../prediction/completion-predictor.js';
import { completionCosting, type Costing, type RequestProfile } from './costing.js';
import type { FreePlacement } from './placement-finder.js';
import { FIRST_TOKEN_MS } from '../prediction/model-stats.js';

/** Shorter waits have other causes. */
const LEAST_WAIT_MS = 1_000;
/**
 * Batching slows every request down, at most by the number of requests, or by the prompts before its own if those are longer; half more than
 * that is queueing.
 */
const TOLERANCE = 1.5;

/**
 * Whether a run was queued inside its engine: its first event came later than prefill at that concurrency explains. null: unknown, because
 * a JSON response has no first event, or the prefill rate is not learned yet.
 * @param others maximum concurrency beside it
 */
export function waitedInEngineQueue(
  { demand, model, prefillAheadMs }: AttemptForecast,
  { firstEventMs, inputTokens, cachedTokens }: AttemptEnd,
  others: number,
): boolean | null {
  const { msPerToken } = model.quiet;
  if (!demand.stream || firstEventMs === null || inputTokens === null || msPerToken === null) return null;
  const aloneMs = FIRST_TOKEN_MS + (inputTokens - (cachedTokens ?? 0)) * msPerToken;
  const sharedMs = aloneMs + Math.max(aloneMs * others, prefillAheadMs);
  return firstEventMs > sharedMs * TOLERANCE && firstEventMs - sharedMs >= LEAST_WAIT_MS;
}

/** An attempt on a node, from {@link RoutingStats.asked} to {@link RoutingStats.ended}. */
export interface AttemptRecord {
  readonly placement: Placement;
  readonly keys: AffinityKeys;
  readonly forecast: AttemptForecast;
}

/** Statistics of the nodes, learned from the requests that they serve. */
export class RoutingStats {
  readonly costing: Costing;
  /** Concurrency of engines where it is lower than reported. */
  readonly slots: LearnedSlots;
  private readonly predictor: CompletionPredictor;
  private readonly affinity: AffinityCache;

  /** @param onRoom an engine turned out to have room for one more */
  constructor(
    clock: Clock,
    { affinityKeys }: { readonly affinityKeys: number },
    onRoom?: (placement: Placement) => void,
  ) {
    this.predictor = new CompletionPredictor(clock);
    this.affinity = new AffinityCache(clock, affinityKeys);
    this.slots = new LearnedSlots(clock, onRoom);
    this.costing = completionCosting(this.predictor, this.affinity);
  }

  /** A node was given the request. @param others at the same engine */
  sent(
    { placement, cachedPromptTokens }: FreePlacement,
    { demand, affinity }: RequestProfile,
    others: number,
  ): AttemptRecord {
    const cached = cachedPromptTokens ?? this.affinity.find(placement.node.accountId, affinity).tokensAt(placement);
    return { placement, keys: affinity, forecast: this.predictor.sent(placement, demand, others, cached) };
  }

  /** Milliseconds until its node counts as stalled. @param stallMs after the predicted first event */
  stallInMs({ forecast }: AttemptRecord, stallMs: number): number {
    return this.predictor.stallInMs(forecast, stallMs);
  }

  /** Milliseconds until its first event is later than the p95; null: unknown. */
  lateInMs({ forecast }: AttemptRecord): number | null {
    return this.predictor.lateInMs(forecast);
  }

  /** The first event of the attempt has arrived. @param nowMs monotonic, where it is known already */
  begun({ forecast }: AttemptRecord, nowMs?: number): void {
    this.predictor.begun(forecast, nowMs);
  }

  /** The request has left the node. Idempotent. @param end null: the node refused, and nothing was done */
  ended(record: AttemptRecord, others: number, end: AttemptEnd | null): void {
    const { placement, keys, forecast } = record;
    if (forecast.over) return;
    if (end !== null) this.observeSlots(record, others, end);
    this.predictor.ended(forecast, others, end);
    if (end === null) return;
    const { accountId } = placement.node;
    if (end.firstEventMs === null) this.affinity.failed(accountId, keys, placement);
    else if (end.completed) {
      this.affinity.served(accountId, keys, placement, (end.inputTokens ?? 0) + (end.outputTokens ?? 0));
    }
  }

  private observeSlots({ placement, forecast }: AttemptRecord, others: number, end: AttemptEnd): void {
    const { completed, overloaded = false, firstEventMs } = end;
    // Nearly all requests: no wait, and no engine with learned slots.
    if (!overloaded && this.slots.size === 0 && (firstEventMs ?? 0) < LEAST_WAIT_MS) return;
    const run = {
      placement,
      startedAtMs: forecast.sentAtMs,
      others: Math.max(others, forecast.othersAtStart),
      proven: forecast.respondingTogether,
    };
    if (overloaded) this.slots.full(run);
    if (!completed) return;
    const waited = waitedInEngineQueue(forecast, end, run.others);
    if (waited !== null) this.slots.ran(run, waited);
  }

  /** Speeds that were learned before the start of the relay. */
  restore(learned: readonly RestoredRates[]): void {
    this.predictor.restore(learned);
  }

  /** Speeds with an observation after `sinceMs` (monotonic). */
  learnedSince(sinceMs: number): Iterable<RestoredRates> {
    return this.predictor.learnedSince(sinceMs);
  }

  /** The node has a new link. */
  recovered(nodeId: NodeId): void {
    this.predictor.recovered(nodeId);
  }

  /** The node was removed. */
  forget(nodeId: NodeId): void {
    this.predictor.forget(nodeId);
  }
}
