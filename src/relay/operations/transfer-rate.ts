import type { Clock } from '../../kernel/clock.js';

/** How fast old samples are forgotten: long enough for a steady figure, short enough to follow a network that changes. */
const TIME_CONSTANT_MS = 5_000;
/** Samples closer together than this say more about batching than about speed. */
const SHORTEST_SAMPLE_MS = 100;
/** After this long without a new count the last speed is no longer true. */
const STALE_MS = 10_000;

/** Bytes per second out of absolute counts that come at any pace: a mean that forgets exponentially with time. */
export class TransferRate {
  private bytes: number | null = null;
  private atMs = 0;
  private perSecond: number | null = null;

  constructor(private readonly clock: Clock) {}

  /** null until two counts have come, and when the last one is old. */
  get bytesPerSecond(): number | null {
    if (this.perSecond === null || this.clock.monotonicMs() - this.atMs > STALE_MS) return null;
    return Math.round(this.perSecond);
  }

  /** @param completedBytes null, or fewer than before (another file, a new try): counting starts over */
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
