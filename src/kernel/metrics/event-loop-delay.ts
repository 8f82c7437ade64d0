import { monitorEventLoopDelay } from 'node:perf_hooks';

const NANOSECONDS_PER_MS = 1e6;

/** How late the timers of this process are, since the last reset. */
export class EventLoopDelay {
  private readonly histogram;

  /** @param resolutionMs interval of the timer that is measured */
  constructor(private readonly resolutionMs: number) {
    this.histogram = monitorEventLoopDelay({ resolution: resolutionMs });
    this.histogram.enable();
  }

  /** @returns milliseconds; 0 before the first sample */
  percentileMs(percent: number): number {
    // A sample is the time between two timers, so the timer's own interval is taken off. Without a sample percentiles have no meaning.
    if (this.histogram.max === 0) return 0;
    const nanoseconds = percent === 100 ? this.histogram.max : this.histogram.percentile(percent);
    return Math.max(0, nanoseconds / NANOSECONDS_PER_MS - this.resolutionMs);
  }

  reset(): void {
    this.histogram.reset();
  }

  stop(): void {
    this.histogram.disable();
  }
}
