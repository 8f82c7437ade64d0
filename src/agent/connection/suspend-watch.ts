import type { Clock } from '../../kernel/clock.js';

interface SuspendWatchOptions {
  readonly clock: Clock;
  /** Expected time between two calls of {@link SuspendWatch.resumed}. */
  readonly intervalMs: number;
  /** Shorter pauses are load, smaller clock steps are corrections. */
  readonly gapMs: number;
}

/**
 * Detects that the computer or the process was suspended. Platforms do not report it and differ in their clocks: either the monotonic
 * clock ran on and the timer is late, or it stopped like the timers and only the wall clock ran on.
 */
export class SuspendWatch {
  private monotonicMs: number;
  private wallMs: number;

  constructor(private readonly options: SuspendWatchOptions) {
    this.monotonicMs = options.clock.monotonicMs();
    this.wallMs = options.clock.wallMs();
  }

  /** To be called at each interval. @returns whether there was a pause since the last call */
  resumed(): boolean {
    const { clock, intervalMs, gapMs } = this.options;
    const monotonicMs = clock.monotonicMs();
    const wallMs = clock.wallMs();
    const passedMs = monotonicMs - this.monotonicMs;
    const isLate = passedMs - intervalMs > gapMs;
    const disagree = Math.abs(wallMs - this.wallMs - passedMs) > gapMs;
    this.monotonicMs = monotonicMs;
    this.wallMs = wallMs;
    return isLate || disagree;
  }
}
