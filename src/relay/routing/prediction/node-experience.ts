import type { AttemptForecast } from './attempt-forecast.js';
import type { ModelExperience } from './model-experience.js';

/** Models of one node whose speed is remembered. */
export const REMEMBERED_MODELS = 64;
/** Each failure in a row doubles what the node costs more, and for how long. */
const FIRST_PENALTY_MS = 15_000;
const FIRST_PENALTY_TIME_MS = 60_000;
const MOST_FAILURES = 7;

/** What one node has shown so far. */
export class NodeExperience {
  readonly models = new Map<string, ModelExperience>();
  /** Requests without an event yet, in the order in which they were sent. */
  private readonly silent = new Set<AttemptForecast>();
  private failures = 0;
  private failedAtMs = -Infinity;

  asked(forecast: AttemptForecast): void {
    this.silent.add(forecast);
  }

  spoke(forecast: AttemptForecast): void {
    this.silent.delete(forecast);
    // What it sends proves more than what it failed to do before.
    this.failures = 0;
  }

  left(forecast: AttemptForecast, blamed: boolean, nowMs: number): void {
    this.silent.delete(forecast);
    if (!blamed) return;
    this.failures = Math.min(MOST_FAILURES, this.failures + 1);
    this.failedAtMs = nowMs;
  }

  /**
   * What the node costs more, in milliseconds, because it failed or keeps somebody waiting far longer than expected. 0: nothing speaks
   * against it. After its time a penalty is down to the first one, for a single request at a time, until the node has answered one. Only
   * the request that waits longest is looked at, so the price of asking does not grow with the load.
   */
  penaltyMs(nowMs: number): number {
    const waiting = this.silent.size === 0 ? 0 : this.waitingPenaltyMs(nowMs);
    if (this.failures === 0) return waiting;
    const growth = Math.pow(2, this.failures - 1);
    return waiting + FIRST_PENALTY_MS * (this.onProbation(nowMs) ? 1 : growth);
  }

  /** Whether a request does better to wait for another node than to come here. */
  isAvoided(nowMs: number): boolean {
    if (this.failures > 0) return !this.onProbation(nowMs);
    return this.silent.size > 0 && this.waitingPenaltyMs(nowMs) > 0;
  }

  private onProbation(nowMs: number): boolean {
    const timeMs = FIRST_PENALTY_TIME_MS * Math.pow(2, this.failures - 1);
    return nowMs - this.failedAtMs >= timeMs && this.silent.size === 0;
  }

  private waitingPenaltyMs(nowMs: number): number {
    for (const { overdueAtMs } of this.silent) return nowMs < overdueAtMs ? 0 : FIRST_PENALTY_MS + nowMs - overdueAtMs;
    return 0;
  }
}
