import type { Clock } from '../../../kernel/clock.js';

/** Seconds whose allowance may be used at once. */
const BURST_SECONDS = 20;
/** Ordinary records leave this share of the burst to others. */
const RESERVED_SHARE = 0.5;

/** How many records may be stored: a token bucket of which ordinary records may use a part only. */
export class StorageAllowance {
  private readonly burst: number;
  private left: number;
  private atMs: number;

  constructor(
    private readonly perSecond: number,
    private readonly clock: Pick<Clock, 'monotonicMs'>,
  ) {
    this.burst = perSecond * BURST_SECONDS;
    this.left = this.burst;
    this.atMs = clock.monotonicMs();
  }

  /** @returns false: the record is left out */
  take(isOrdinary: boolean): boolean {
    const nowMs = this.clock.monotonicMs();
    this.left = Math.min(this.burst, this.left + ((nowMs - this.atMs) / 1_000) * this.perSecond);
    this.atMs = nowMs;
    if (this.left < 1 + (isOrdinary ? this.burst * RESERVED_SHARE : 0)) return false;
    this.left -= 1;
    return true;
  }
}
