import type { Clock } from './clock.js';

/** Counts what happens in windows of one length, the first of which begins with the first event. */
export class FixedWindow {
  private count = 0;
  private sinceMs = -Infinity;

  constructor(
    private readonly clock: Pick<Clock, 'monotonicMs'>,
    private readonly windowMs: number,
    private readonly limit: number,
  ) {}

  /** @returns false when the limit of this window is exceeded */
  take(): boolean {
    const nowMs = this.clock.monotonicMs();
    if (nowMs - this.sinceMs >= this.windowMs) {
      this.sinceMs = nowMs;
      this.count = 0;
    }
    this.count += 1;
    return this.count <= this.limit;
  }
}
