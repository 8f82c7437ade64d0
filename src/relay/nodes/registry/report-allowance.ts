import type { Clock } from '../../../kernel/clock.js';

/** INVENTORY and STATUS together. An honest node sends STATUS at most once a second and INVENTORY on change. */
export const REPORTS_PER_MINUTE = 600;
/** PROGRESS and RESULT together: four a second of eight operations at once, and what a node repeats after READY. */
export const OPERATION_REPORTS_PER_MINUTE = 2_400;
const MINUTE_MS = 60_000;

/** How often one link may report: every report costs the relay work that is not on any request. */
export class ReportAllowance {
  private count = 0;
  private sinceMs = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly perMinute: number,
  ) {}

  /** @returns false when the node has reported too often. */
  take(): boolean {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.sinceMs >= MINUTE_MS) {
      this.sinceMs = nowMs;
      this.count = 0;
    }
    this.count += 1;
    return this.count <= this.perMinute;
  }
}
