import type { Clock } from '../../kernel/clock.js';
import type { Timers } from '../connection/timers.js';

/** Four a second: as fast as a progress bar is worth being. */
const PROGRESS_INTERVAL_MS = 250;

/** Lets one operation report as often as something changes, and sends only the newest state, at most four times a second. */
export class ProgressPacer {
  private sentAtMs = Number.NEGATIVE_INFINITY;
  private cancelTimer: (() => void) | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly timers: Timers,
    private readonly send: () => void,
  ) {}

  /** The state is another one: it goes out now, or when the last one is old enough. */
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

  /** Nothing that changed stays unsaid. */
  flush(): void {
    if (this.cancelTimer !== undefined) this.sendNow();
  }

  stop(): void {
    this.cancelTimer?.();
    this.cancelTimer = undefined;
  }
}
