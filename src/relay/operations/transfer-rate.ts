import type { Clock } from '../../kernel/clock.js';

/** Time constant of the moving average: smooth enough to display, fast enough to follow the network. */
const TIME_CONSTANT_MS = 5_000;
/** Minimum interval of samples; shorter ones measure batching. */
const SHORTEST_SAMPLE_MS = 100;
/** Age at which the rate is outdated. */
const STALE_MS = 10_000;

/** Bytes per second from absolute counts at irregular intervals: an exponentially weighted moving average. */
export class TransferRate {
  private bytes: number | null = null;
  private atMs = 0;
  private perSecond: number | null = null;

  constructor(private readonly clock: Clock) {}

  /** null before the second count, and when the last one is outdated. */
  get bytesPerSecond(): number | null {
    if (this.perSecond === null || this.clock.monotonicMs() - this.atMs > STALE_MS) return null;
    return Math.round(this.perSecond);
  }

  /** @param completedBytes null or fewer than before (another file, a retry) resets the rate */
  count(completedBytes: number | null): void {
    const nowMs = this.clock.monotonicMs();
    if (completedBytes === null || this.bytes === null || completedBytes < this.bytes) {
      this.bytes = completedBytes;
      this.atMs = nowMs;
      this.perSecond = null;
      return;
    }
    const elapsedMs = nowMs - this.atMs;
    if (elapsedMs < SHORTEST_SAMPLE_MS) return;
    const sample = ((completedBytes - this.bytes) * 1_000) / elapsedMs;
    const weight = 1 - Math.exp(-elapsedMs / TIME_CONSTANT_MS);
    this.perSecond = this.perSecond === null ? sample : this.perSecond + weight * (sample - this.perSecond);
    this.bytes = completedBytes;
    this.atMs = nowMs;
  }
}
