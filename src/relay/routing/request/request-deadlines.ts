import type { TimerHandle, TimerWheel } from '../../platform/timing/timer-wheel.js';
import type { InferenceLimits } from './routed-request.js';
import type { RequestTimeline } from './request-timeline.js';

/** Of what all requests share. */
interface Patience {
  readonly timers: Pick<TimerWheel, 'schedule'>;
  readonly limits: InferenceLimits;
}

/** How long a request waits for what: one timer for the state it is in, one for its whole answer. */
export class RequestDeadlines {
  /** Of the current state: queue, acknowledgement, first event, silence. */
  private phase: TimerHandle | null = null;
  /** Of the whole answer, from the first dispatch on. */
  private age: TimerHandle | null = null;

  constructor(
    private readonly desk: Patience,
    private readonly stream: boolean,
    private readonly timeline: RequestTimeline,
    /** The current state has lasted too long. */
    private readonly onPhaseOver: () => void,
  ) {}

  get longestMs(): number {
    return this.stream ? this.desk.limits.streamMaxAgeMs : this.desk.limits.wholeAnswerTimeoutMs;
  }

  get leftMs(): number {
    return Math.max(0, this.longestMs - this.timeline.sinceDispatchMs);
  }

  /** A whole answer comes at its end: it has all of its time for that. */
  get firstEventLeftMs(): number {
    const patienceMs = this.stream ? this.desk.limits.firstEventTimeoutMs : this.longestMs;
    return Math.max(0, patienceMs - this.timeline.sinceDispatchMs);
  }

  /** Of an answer that has begun: since its last event, or since its client owed none any more. */
  get silentMs(): number {
    return this.phase === null ? 0 : Math.max(0, this.desk.limits.eventIdleTimeoutMs - this.phase.leftMs);
  }

  /** The node has taken the request: until its first event is late, or late enough for a stall. @param stallInMs null: nobody knows */
  watchFirstEvent(stallInMs: number | null): void {
    this.watch(Math.min(this.firstEventLeftMs, stallInMs ?? Infinity));
  }

  /** A new state began. */
  watch(delayMs: number): void {
    if (this.phase === null) this.phase = this.desk.timers.schedule(delayMs, this.onPhaseOver);
    else this.phase.restart(delayMs);
  }

  /** The state goes on: its time begins again. On the path of every event. */
  extend(): void {
    this.phase?.restart();
  }

  /** Idempotent: a second run does not make the whole longer. */
  limitWhole(onOver: () => void): void {
    this.age ??= this.desk.timers.schedule(this.longestMs, onOver);
  }

  cancel(): void {
    this.phase?.cancel();
    this.age?.cancel();
  }
}
