import { dropOldest } from '../../../kernel/drop-oldest.js';
import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { AttemptForecast } from './attempt-forecast.js';
import type { AttemptEnd } from './attempt-prediction.js';
import type { CostParts } from './cost-parts.js';
import type { Demand } from './demand.js';
import { FIRST_TOKEN_MS, ModelStats, type ModelRates } from './model-stats.js';
import { ModelUsageProfile } from './model-usage-profile.js';
import { NodeStats } from './node-stats.js';
import { ratePriors } from './priors.js';

/**
 * Statistics of a model that nobody has observed, only to be read. The candidates of one decision have the same model and mostly the same
 * engine, so the last one is kept.
 */
class UnobservedModel {
  private sizeBytes: number | null = null;
  private kind: string | null = null;
  private stats = new ModelStats(ratePriors(null, null));

  /** @param kind of the engine; null: unknown */
  of(sizeBytes: number | null, kind: string | null): ModelStats {
    if (sizeBytes !== this.sizeBytes || kind !== this.kind) {
      this.sizeBytes = sizeBytes;
      this.kind = kind;
      this.stats = new ModelStats(ratePriors(sizeBytes, kind));
    }
    return this.stats;
  }
}

/** Size of a request in tokens, computed once for all candidates. */
export interface Size {
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface PredictorLimits {
  /** Nodes with learned speeds, over all accounts. */
  readonly nodes: number;
  /** Models with a usage profile, per account and in total. */
  readonly models: number;
}

export const predictorLimits: PredictorLimits = { nodes: 20_000, models: 20_000 };

/** Speed of a model on a node, as another process has learned it. */
export interface RestoredRates {
  readonly nodeId: NodeId;
  readonly modelKey: string;
  readonly rates: ModelRates;
  readonly ageMs: number;
}

interface WaitingRates {
  readonly rates: ModelRates;
  readonly observedAtMs: number;
}

/** Round trip before the first pong. */
const UNKNOWN_ROUND_TRIP_MS = 50;
/** Factor and constant of the overdue deadline: later than that the node hangs or has changed. */
const OVERDUE_FACTOR = 4;
const OVERDUE_SLACK_MS = 5_000;
/** The length of a response is unknown and a whole JSON response is silent until its end: its deadline is derived from the p95, generously. */
const WHOLE_OVERDUE_TAILS = 4;

/**
 * Predicts the completion time of a request on a node, and learns from outcomes. One clock, no timers; all state is bounded, and a removed
 * node is dropped.
 */
export class CompletionPredictor {
  /** Not an LruMap: it is read for every candidate, and nodes are few. The oldest node is evicted. */
  private readonly nodes = new Map<NodeId, NodeStats>();
  private readonly profiles: LruMap<string, ModelUsageProfile>;
  /** Until the node is first considered: the prior needs its report. */
  private readonly restored = new Map<NodeId, Map<string, WaitingRates>>();
  private readonly unobserved = new UnobservedModel();
  /** The profile that was looked up last: each request asks for its own several times, and its key is a new text every time. */
  private latest: {
    readonly accountId: AccountId;
    readonly selector: ModelSelector;
    readonly profile: ModelUsageProfile;
  } | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly limits: PredictorLimits = predictorLimits,
  ) {
    this.profiles = new LruMap(limits.models);
  }

  /** Shared by all candidates of one decision. */
  nowMs(): number {
    return this.clock.monotonicMs();
  }

  size(accountId: AccountId, selector: ModelSelector, demand: Demand): Size {
    const usageProfile = this.profileOf(accountId, selector);
    return { promptTokens: usageProfile.promptTokens(demand), outputTokens: usageProfile.expectedOutputTokens(demand) };
  }

  /**
   * @param busy requests at the candidate's engine now
   * @param cachedPromptTokens prompt tokens expected in its cache; they lower the cost only of a healthy node
   */
  predict(
    placement: Placement,
    { promptTokens, outputTokens }: Size,
    busy: number,
    slots: number,
    cachedPromptTokens: number,
    nowMs = this.clock.monotonicMs(),
  ): CostParts {
    const node = this.nodes.get(placement.node.nodeId);
    const model = node?.model(placement.report.key) ?? this.unusedModel(placement);
    const engine = engineOf(placement);
    const load = busy + (engine?.foreign_requests ?? 0);
    const prefillRate = model.prefill.at(load, nowMs);
    const prefillMs = FIRST_TOKEN_MS + promptTokens * prefillRate;
    const decodeMs = outputTokens * model.decode.at(load, nowMs);
    const penaltyMs = node === undefined ? 0 : node.penaltyMs(model, nowMs);
    const ahead = engine?.queue_depth ?? 0;
    const queueMs = penaltyMs + (ahead === 0 ? 0 : (ahead * (prefillMs + decodeMs)) / Math.max(1, slots));
    // Guarded: a failing or queueing node is never made cheaper by its cache.
    const cached = queueMs > 0 || load >= slots ? 0 : Math.min(cachedPromptTokens, promptTokens) * model.cacheHitShare;
    return {
      queueMs,
      prefillMs,
      decodeMs,
      linkMs: placement.node.roundTripMs ?? UNKNOWN_ROUND_TRIP_MS,
      affinityMs: cached === 0 ? 0 : -cached * prefillRate,
    };
  }

  /** The node or the model failed, or keeps a request waiting far longer than predicted: another node is preferred, even after a wait. */
  isAvoided({ node, report }: Placement, nowMs = this.clock.monotonicMs()): boolean {
    return this.nodes.get(node.nodeId)?.isAvoided(report.key, nowMs) ?? false;
  }

  /** The request was dispatched. The caller keeps the forecast until {@link ended}. */
  sent(placement: Placement, demand: Demand, busy: number, cachedPromptTokens: number): AttemptForecast {
    const { nodeId, accountId } = placement.node;
    const usageProfile = this.profileOf(accountId, placement.report.selector);
    const node = this.nodeOf(nodeId);
    const model = this.modelOf(node, placement);
    const nowMs = this.clock.monotonicMs();
    const foreign = engineOf(placement)?.foreign_requests ?? 0;
    const prefillMs = usageProfile.promptTokens(demand) * model.prefill.at(busy + foreign, nowMs);
    const decodeMs = usageProfile.expectedOutputTokens(demand) * model.decode.at(busy + foreign, nowMs);
    const firstEventMs = FIRST_TOKEN_MS + prefillMs + (demand.stream ? 0 : decodeMs);
    const overdueMs = firstEventMs * OVERDUE_FACTOR + OVERDUE_SLACK_MS;
    const wholeOverdueMs = demand.stream ? 0 : firstEventMs * model.tail.value * WHOLE_OVERDUE_TAILS;
    const forecast: AttemptForecast = {
      node,
      model,
      usageProfile,
      demand,
      cachedPromptTokens,
      prefillMs,
      decodeMs,
      prefillAheadMs: model.backlog.leftMs(nowMs, model.silent.none),
      othersAtStart: busy,
      foreignAtStart: foreign,
      sentAtMs: nowMs,
      firstEventMs,
      // Behind a prefill of minutes no request is late before that one is.
      overdueAtMs: Math.max(nowMs + Math.max(overdueMs, wholeOverdueMs), node.busyUntilMs),
      silence: null,
      begun: false,
      respondingTogether: 0,
      over: false,
    };
    const coldTokens = Math.max(0, usageProfile.promptTokens(demand) - cachedPromptTokens * model.cacheHitShare);
    const quietMsPerToken = model.quiet.msPerToken ?? model.prefill.at(0, nowMs);
    model.backlog.add(coldTokens * quietMsPerToken, nowMs, model.silent.none);
    node.sent(forecast);
    return forecast;
  }

  /**
   * Milliseconds until the node counts as stalled: `stallMs` after the predicted first event, unless anything else has arrived from the
   * node meanwhile, and never before the first event is overdue.
   */
  stallInMs(forecast: AttemptForecast, stallMs: number): number {
    return Math.max(0, forecast.node.stalledAtMs(forecast, stallMs) - this.clock.monotonicMs());
  }

  /** Milliseconds until its first event is later than the p95; null: too few observations. */
  lateInMs({ model, firstEventMs, sentAtMs: requestedAtMs }: AttemptForecast): number | null {
    if (!model.tail.known) return null;
    return Math.max(0, firstEventMs * model.tail.value - (this.clock.monotonicMs() - requestedAtMs));
  }

  /** The first event of the attempt has arrived. */
  begun(forecast: AttemptForecast, nowMs = this.clock.monotonicMs()): void {
    forecast.node.begun(forecast, nowMs);
    if (forecast.demand.stream && !forecast.begun && !forecast.over) {
      forecast.model.answering += 1;
      forecast.respondingTogether = forecast.model.answering;
    }
    forecast.begun = true;
    forecast.model.tail.observe((nowMs - forecast.sentAtMs) / forecast.firstEventMs);
  }

  /** The request has left the node. Idempotent. @param busy others at the engine now; `end` null: rejected before it began */
  ended(forecast: AttemptForecast, busy: number, end: AttemptEnd | null): void {
    if (forecast.over) return;
    forecast.over = true;
    if (forecast.respondingTogether > 0) forecast.model.answering -= 1;
    const nowMs = this.clock.monotonicMs();
    const silentTooLong = end !== null && end.firstEventMs === null && nowMs >= forecast.overdueAtMs;
    forecast.node.left(forecast, end?.faultSubject ?? (silentTooLong ? 'model' : null), nowMs);
    if (end !== null && !forecast.begun) {
      // Started behind keep-alive events: the node has reported the time.
      if (end.firstEventMs !== null) forecast.model.tail.observe(end.firstEventMs / forecast.firstEventMs);
      else forecast.model.tail.observeAtLeast((nowMs - forecast.sentAtMs) / forecast.firstEventMs);
    }
    if (end?.completed !== true) return;
    forecast.node.spoke(forecast, nowMs);
    forecast.model.observe(forecast, end, forecast.foreignAtStart + (forecast.othersAtStart + busy) / 2, nowMs);
    if (end.inputTokens !== null && end.outputTokens !== null) {
      forecast.usageProfile.observe(forecast.demand, end.inputTokens, end.outputTokens);
    }
  }

  /** The node has a new link: earlier failures no longer count. */
  recovered(nodeId: NodeId): void {
    this.nodes.get(nodeId)?.recovered();
  }

  /** Before the first request. The caller bounds their number. */
  restore(learned: readonly RestoredRates[]): void {
    const nowMs = this.clock.monotonicMs();
    for (const { nodeId, modelKey, rates, ageMs } of learned) {
      const models = this.restored.get(nodeId) ?? new Map<string, WaitingRates>();
      this.restored.set(nodeId, models.set(modelKey, { rates, observedAtMs: nowMs - ageMs }));
    }
  }

  /** Rates with an observation after `sinceMs` (monotonic). */
  *learnedSince(sinceMs: number): Generator<RestoredRates> {
    const nowMs = this.clock.monotonicMs();
    for (const [nodeId, { models }] of this.nodes) {
      for (const [modelKey, model] of models) {
        const { lastObservedAtMs } = model;
        if (lastObservedAtMs <= sinceMs) continue;
        yield { nodeId, modelKey, rates: model.stored(), ageMs: nowMs - lastObservedAtMs };
      }
    }
  }

  /** The node was removed. */
  forget(nodeId: NodeId): void {
    this.nodes.delete(nodeId);
    this.restored.delete(nodeId);
  }

  private nodeOf(nodeId: NodeId): NodeStats {
    let node = this.nodes.get(nodeId);
    if (node === undefined) {
      this.nodes.set(nodeId, (node = new NodeStats()));
      dropOldest(this.nodes, this.limits.nodes);
    }
    return node;
  }

  private modelOf(node: NodeStats, placement: Placement): ModelStats {
    return node.model(placement.report.key) ?? this.newModel(node, placement);
  }

  /**
   * For a model that the node has not served. A look leaves no trace: most placements of a large fleet are looked at far more often than
   * they are chosen, and their statistics would displace those of the models that the node does serve.
   */
  private unusedModel(placement: Placement): ModelStats {
    const { nodeId } = placement.node;
    const { key, size_bytes: sizeBytes } = placement.report;
    if (this.restored.get(nodeId)?.has(key) === true) return this.newModel(this.nodeOf(nodeId), placement);
    return this.unobserved.of(sizeBytes, engineOf(placement)?.kind ?? null);
  }

  private newModel(node: NodeStats, placement: Placement): ModelStats {
    const { key, size_bytes: sizeBytes } = placement.report;
    const model = new ModelStats(ratePriors(sizeBytes, engineOf(placement)?.kind ?? null));
    const { nodeId } = placement.node;
    const models = this.restored.get(nodeId);
    const learned = models?.get(key);
    if (learned !== undefined) {
      model.restore(learned.rates, learned.observedAtMs);
      models?.delete(key);
      if (models?.size === 0) this.restored.delete(nodeId);
    }
    node.add(key, model);
    return model;
  }

  private profileOf(accountId: AccountId, selector: ModelSelector): ModelUsageProfile {
    // It is the youngest entry, so nothing changes in their order.
    if (this.latest?.accountId === accountId && this.latest.selector === selector) return this.latest.profile;
    const key = `${accountId} ${selector}`;
    let profile = this.profiles.get(key);
    if (profile === undefined) this.profiles.set(key, (profile = new ModelUsageProfile()));
    this.latest = { accountId, selector, profile };
    return profile;
  }
}

const engineOf = ({ node, report }: Placement) => {
  const engines = node.status?.engines;
  if (engines === undefined) return undefined;
  for (const engine of engines) if (engine.name === report.engine) return engine;
  return undefined;
};
