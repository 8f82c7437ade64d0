import { dropOldest } from '../../../kernel/drop-oldest.js';
import type { AttemptPrediction, FaultSubject } from './attempt-prediction.js';
import { FailureRecord } from './failure-record.js';
import type { ModelStats } from './model-stats.js';

/** Models of one node with learned speeds. */
export const REMEMBERED_MODELS = 64;

/** A prediction and the statistics of its model on this node. */
type ModelPrediction = AttemptPrediction & { readonly model: ModelStats };

/** Statistics of one node. Failures of one model do not affect the others. */
export class NodeStats {
  private readonly byKey = new Map<string, ModelStats>();
  /** The model that was added or found last: most nodes serve one. */
  private latestKey: string | null = null;
  private latest: ModelStats | undefined;
  private readonly failures = new FailureRecord();
  /** Requests without an event yet, over all models. */
  private silent = 0;
  /** Time of the last first event or end of a response. */
  private spokeAtMs = -Infinity;
  private latestOverdueAtMs = -Infinity;

  /** Monotonic: its present requests are not overdue before then; a later request may have to wait for them. */
  get busyUntilMs(): number {
    return this.silent === 0 ? -Infinity : this.latestOverdueAtMs;
  }

  /** Keyed by model. */
  get models(): ReadonlyMap<string, ModelStats> {
    return this.byKey;
  }

  /** Runs for every candidate of every request, so it only looks up. */
  model(key: string): ModelStats | undefined {
    if (key === this.latestKey) return this.latest;
    const model = this.byKey.get(key);
    if (model === undefined) return undefined;
    this.latestKey = key;
    return (this.latest = model);
  }

  /** The oldest one is forgotten when there are too many. */
  add(key: string, model: ModelStats): void {
    this.byKey.set(key, model);
    this.latestKey = key;
    this.latest = model;
    dropOldest(this.byKey, REMEMBERED_MODELS);
  }

  sent(forecast: ModelPrediction): void {
    this.latestOverdueAtMs = Math.max(this.busyUntilMs, forecast.overdueAtMs);
    this.silent += 1;
    forecast.model.silent.add(forecast);
  }

  /** The first event of a request has arrived. */
  begun(forecast: ModelPrediction, nowMs: number): void {
    this.forget(forecast);
    this.failures.answered();
    forecast.model.failures.answered();
    this.spoke(forecast, nowMs);
  }

  /** Any output that is no failure. */
  spoke({ model }: ModelPrediction, nowMs: number): void {
    this.spokeAtMs = nowMs;
    model.silent.spoke(nowMs);
  }

  left(forecast: ModelPrediction, faultSubject: FaultSubject, nowMs: number): void {
    this.forget(forecast);
    if (faultSubject === 'node') this.failures.failed(nowMs);
    else if (faultSubject === 'model') forecast.model.failures.failed(nowMs);
  }

  /** Reconnected. */
  recovered(): void {
    this.failures.recovered();
    for (const { failures } of this.byKey.values()) failures.recovered();
  }

  /** Monotonic: a request that is silent until then, with no other output of the node, is stalled. */
  stalledAtMs({ sentAtMs: requestedAtMs, firstEventMs, overdueAtMs }: ModelPrediction, stallMs: number): number {
    return Math.max(overdueAtMs, requestedAtMs + firstEventMs + stallMs, this.spokeAtMs + stallMs);
  }

  /** Penalty in milliseconds for failures of the node or of this model on it; 0: none. */
  penaltyMs({ failures, silent }: ModelStats, nowMs: number): number {
    return silent.penaltyMs(nowMs) + failures.penaltyMs(nowMs, silent.none) + this.failures.penaltyMs(nowMs, this.idle);
  }

  /** Whether a request for the model should rather wait for another node. */
  isAvoided(modelKey: string, nowMs: number): boolean {
    if (this.failures.isAvoided(nowMs, this.idle)) return true;
    const model = this.model(modelKey);
    if (model === undefined) return false;
    const { failures, silent } = model;
    return failures.isAvoided(nowMs, silent.none) || (failures.none && silent.penaltyMs(nowMs) > 0);
  }

  private get idle(): boolean {
    return this.silent === 0;
  }

  private forget(forecast: ModelPrediction): void {
    if (forecast.model.silent.delete(forecast)) this.silent -= 1;
  }
}
