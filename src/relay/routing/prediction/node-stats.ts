import type { AttemptForecast, Blame } from './attempt-forecast.js';
import { FailureRecord } from './failure-record.js';
import type { ModelStats } from './model-stats.js';

/** Models of one node whose speed is remembered. */
export const REMEMBERED_MODELS = 64;

/** What one node has shown so far. What speaks against one of its models says nothing about the others. */
export class NodeStats {
  readonly models = new Map<string, ModelStats>();
  private readonly failures = new FailureRecord();
  /** Requests without an event yet, for any model. */
  private silent = 0;
  /** The first event or the end of an answer came from it last. */
  private spokeAtMs = -Infinity;
  private latestOverdueAtMs = -Infinity;

  /** Monotonic: before that the requests that it has now are not overdue; one that is sent after them may have to wait for them. */
  get busyUntilMs(): number {
    return this.silent === 0 ? -Infinity : this.latestOverdueAtMs;
  }

  asked(forecast: AttemptForecast): void {
    this.latestOverdueAtMs = Math.max(this.busyUntilMs, forecast.overdueAtMs);
    this.silent += 1;
    forecast.model.silent.add(forecast);
  }

  /** The first event of a request is here. */
  begun(forecast: AttemptForecast, nowMs: number): void {
    this.forget(forecast);
    this.failures.answered();
    forecast.model.failures.answered();
    this.spoke(forecast, nowMs);
  }

  /** Something came of it that was no failure. */
  spoke({ model }: AttemptForecast, nowMs: number): void {
    this.spokeAtMs = nowMs;
    model.silent.spoke(nowMs);
  }

  left(forecast: AttemptForecast, blame: Blame, nowMs: number): void {
    this.forget(forecast);
    if (blame === 'node') this.failures.failed(nowMs);
    else if (blame === 'model') forecast.model.failures.failed(nowMs);
  }

  /** Connected anew. */
  recovered(): void {
    this.failures.recovered();
    for (const { failures } of this.models.values()) failures.recovered();
  }

  /** Monotonic: a request that is silent as long as that without anything else having come from the node stalls. */
  stalledAtMs({ askedAtMs, firstEventMs, overdueAtMs }: AttemptForecast, stallMs: number): number {
    return Math.max(overdueAtMs, askedAtMs + firstEventMs + stallMs, this.spokeAtMs + stallMs);
  }

  /** What it costs more, in milliseconds, because of what speaks against it or against this model on it; 0: nothing. */
  penaltyMs({ failures, silent }: ModelStats, nowMs: number): number {
    return silent.penaltyMs(nowMs) + failures.penaltyMs(nowMs, silent.none) + this.failures.penaltyMs(nowMs, this.idle);
  }

  /** Whether a request for the model does better to wait for another node than to come here. */
  isAvoided(modelKey: string, nowMs: number): boolean {
    if (this.failures.isAvoided(nowMs, this.idle)) return true;
    const model = this.models.get(modelKey);
    if (model === undefined) return false;
    const { failures, silent } = model;
    return failures.isAvoided(nowMs, silent.none) || (failures.none && silent.penaltyMs(nowMs) > 0);
  }

  private get idle(): boolean {
    return this.silent === 0;
  }

  private forget(forecast: AttemptForecast): void {
    if (forecast.model.silent.delete(forecast)) this.silent -= 1;
  }
}
