import type { TimerHandle } from '../../platform/timing/timer-wheel.js';
import type { RequestTimeline } from './request-timeline.js';
import type { RoutingContext } from './routing-context.js';

/** The deadlines of a request: one timer for its current state, one for the whole response. */
export class RequestDeadlines {
  /** Bounds the current state: queue, acknowledgement, first event, silence. */
  private phase: TimerHandle | null = null;
  /** Bounds the whole response, from the first dispatch on. */
  private age: TimerHandle | null = null;

  constructor(
    private readonly context: RoutingContext,
    private readonly stream: boolean,
    private readonly timeline: RequestTimeline,
    /** The current state has lasted too long. */
    private readonly onPhaseOver: () => void,
  ) {}

  get longestMs(): number {
    return this.stream ? this.context.limits.streamMaxAgeMs : this.context.limits.wholeAnswerTimeoutMs;
  }

  get leftMs(): number {
    return Math.max(0, this.longestMs - this.timeline.sinceDispatchMs);
  }

  /** A JSON response arrives at its end, so its first event may take the whole time. */
  get firstEventLeftMs(): number {
    const patienceMs = this.stream ? this.context.limits.firstEventTimeoutMs : this.longestMs;
    return Math.max(0, patienceMs - this.timeline.sinceDispatchMs);
  }

  /** Time since the last event of a response that has begun, or since its client had taken everything. */
  get silentMs(): number {
    return this.phase === null ? 0 : Math.max(0, this.context.limits.eventIdleTimeoutMs - this.phase.leftMs);
  }

  /** The node has acknowledged the request: watches for a late first event, or a stall. @param stallInMs null: unknown */
  watchFirstEvent(stallInMs: number | null): void {
    this.watch(Math.min(this.firstEventLeftMs, stallInMs ?? Infinity));
  }

  /** A new state began. */
  watch(delayMs: number): void {
    if (this.phase === null) this.phase = this.context.timers.schedule(delayMs, this.onPhaseOver);
    else this.phase.restart(delayMs);
  }

  /** Restarts the time of the current state. On the path of every event. @returns the time that has passed of it, in milliseconds */
  extend(): number {
    const { phase } = this;
    if (phase === null) return 0;
    const dueAtMs = phase.deadlineMs;
    phase.restart();
    return phase.deadlineMs - dueAtMs;
  }

  /** Reads what `extend` will read. */
  readAhead(): number {
    return this.phase?.deadlineMs ?? 0;
  }

  /** Idempotent: a second run does not make the whole longer. */
  limitWhole(onOver: () => void): void {
    this.age ??= this.context.timers.schedule(this.longestMs, onOver);
  }

  cancel(): void {
    this.phase?.cancel();
    this.age?.cancel();
  }
}
