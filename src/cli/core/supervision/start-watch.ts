import type { Clock } from '../../../kernel/clock.js';

export interface StartLimits {
  /** A process that is not ready within this time is killed, whatever it does. */
  readonly readyWithinMs: number;
  /** One that has neither reported a step nor used the processor for so long is killed: it waits for something that does not come. */
  readonly stalledAfterMs: number;
}

export const startLimits: StartLimits = { readyWithinMs: 1_800_000, stalledAfterMs: 60_000 };

interface StartWatchOptions {
  readonly limits: StartLimits;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  /** CPU time of the process and of what it has started; undefined: not known. */
  readonly cpuMs: () => number | undefined;
  /** It takes long: called after {@link FIRST_NOTE_MS}, and then less and less often. @param step that it last reported */
  readonly slow: (seconds: number, step: string | undefined) => void;
  readonly kill: () => void;
}

const CHECK_EVERY_MS = 5_000;
/** Share of the time between two checks: an idle process takes less, and the slowest share of a busy computer is more. */
const PROGRESS_SHARE = 0.01;
const FIRST_NOTE_MS = 30_000;

/**
 * Watches a process that starts. How long a start takes says nothing on a busy computer, where making a database may take minutes: as long as the
 * process works it is waited for, because a second try would begin anew and take as long.
 */
export class StartWatch {
  private readonly startedAtMs: number;
  private progressAtMs: number;
  private checkedAtMs: number;
  private cpuMs = 0;
  private nextNoteMs = FIRST_NOTE_MS;
  private step: string | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: StartWatchOptions) {
    this.startedAtMs = this.progressAtMs = this.checkedAtMs = options.clock.monotonicMs();
    this.timer = setInterval(() => {
      this.check();
    }, CHECK_EVERY_MS);
  }

  /** The process has begun this. */
  reported(step: string): void {
    this.step = step;
    this.progressAtMs = this.options.clock.monotonicMs();
  }

  /** It is ready, or has ended. Idempotent. */
  stop(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const { limits, clock, slow, kill } = this.options;
    const nowMs = clock.monotonicMs();
    // A check that comes late was held up itself, by a suspended computer too: what the process did meanwhile is not known.
    const heldUp = nowMs - this.checkedAtMs >= 2 * CHECK_EVERY_MS;
    if (this.hasWorked(nowMs) || heldUp) this.progressAtMs = nowMs;
    const ageMs = nowMs - this.startedAtMs;
    if (nowMs - this.progressAtMs >= limits.stalledAfterMs || ageMs >= limits.readyWithinMs) {
      this.stop();
      kill();
    } else if (ageMs >= this.nextNoteMs) {
      this.nextNoteMs *= 2;
      slow(Math.round(ageMs / 1_000), this.step);
    }
  }

  private hasWorked(nowMs: number): boolean {
    // A process that it had started may have ended, so that the sum may shrink: this is progress, too.
    const cpuMs = this.options.cpuMs() ?? this.cpuMs;
    const worked = cpuMs < this.cpuMs || cpuMs - this.cpuMs >= (nowMs - this.checkedAtMs) * PROGRESS_SHARE;
    this.cpuMs = cpuMs;
    this.checkedAtMs = nowMs;
    return worked;
  }
}
