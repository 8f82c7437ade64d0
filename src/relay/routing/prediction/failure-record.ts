/** Each consecutive failure doubles the penalty and its duration. */
export const FIRST_PENALTY_MS = 15_000;
const FIRST_PENALTY_TIME_MS = 60_000;
const MOST_FAILURES = 7;

/** Consecutive failures of a node, or of one model on it. */
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

  /** It answered: clears the failures. */
  answered(): void {
    this.failures = 0;
  }

  /** It was restarted or reconnected: ends the penalty early. */
  recovered(): void {
    this.failedAtMs = -Infinity;
  }

  /**
   * The penalty in milliseconds. After its duration it falls to the first step, for one request at a time, until one was answered. @param
   * idle no request waits there for its first event
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
