import type { Clock } from '../../kernel/clock.js';

export interface SuspendWatchOptions {
  readonly clock: Clock;
  /** Between two calls of {@link SuspendWatch.resumed}, as long as nothing is wrong. */
  readonly intervalMs: number;
  /** A shorter pause is a busy computer, a smaller step of a clock its correction. */
  readonly gapMs: number;
}

/**
 * Notices that this computer was suspended, or the process stopped. No platform tells a program, and they differ in what goes on meanwhile: either
 * the monotonic clock ran, and the timer is late; or it stood still like the timers, and only the wall clock has gone on.
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
