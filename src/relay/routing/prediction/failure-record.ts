/** Each failure in a row doubles what the place costs more, and for how long. */
export const FIRST_PENALTY_MS = 15_000;
const FIRST_PENALTY_TIME_MS = 60_000;
const MOST_FAILURES = 7;

/** Failures in a row of one place: a node, or one model on it. */
export class FailureRecord {
  private failures = 0;
  private failedAtMs = -Infinity;

  get none(): boolean {
    return this.failures === 0;
  }

  failed(nowMs: number): void {
    this.failures = Math.min(MOST_FAILURES, this.failures + 1);
    this.failedAtMs = nowMs;
  }

  /** It answered: that proves more than what it failed to do before. */
  answered(): void {
    this.failures = 0;
  }

  /** It was started or connected anew: it need not wait for its time to be up. */
  recovered(): void {
    this.failedAtMs = -Infinity;
  }

  /**
   * What it costs more, in milliseconds. After its time a penalty is down to the first one, for a single request at a time, until one was
   * answered. @param idle no request waits there for its first event
   */
  penaltyMs(nowMs: number, idle: boolean): number {
    if (this.failures === 0) return 0;
    return FIRST_PENALTY_MS * (this.onProbation(nowMs, idle) ? 1 : Math.pow(2, this.failures - 1));
  }

  isAvoided(nowMs: number, idle: boolean): boolean {
    return this.failures > 0 && !this.onProbation(nowMs, idle);
  }

  private onProbation(nowMs: number, idle: boolean): boolean {
    return idle && nowMs - this.failedAtMs >= FIRST_PENALTY_TIME_MS * Math.pow(2, this.failures - 1);
  }
}
