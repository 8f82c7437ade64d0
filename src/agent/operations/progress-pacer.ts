import type { Clock } from '../../kernel/clock.js';
import type { Timers } from '../connection/timers.js';

/** Four updates a second are enough for a progress bar. */
const PROGRESS_INTERVAL_MS = 250;

/** Throttles the progress of one operation: sends the newest state, at most four times a second. */
export class ProgressPacer {
  private sentAtMs = Number.NEGATIVE_INFINITY;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly send: () => void,
  ) {}

  /** The state changed: sends it now, or when the interval is over. */
  changed(): void {
    if (this.cancelTimer !== undefined) return;
    const waitMs = this.sentAtMs + PROGRESS_INTERVAL_MS - this.clock.monotonicMs();
    if (waitMs > 0)
      this.cancelTimer = this.timers.after(waitMs, () => {
        this.sendNow();
      });
    else this.sendNow();
  }

  sendNow(): void {
    this.stop();
    this.sentAtMs = this.clock.monotonicMs();
    this.send();
  }

  /** Sends a pending change now. */
  flush(): void {
    if (this.cancelTimer !== undefined) this.sendNow();
  }

  stop(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
