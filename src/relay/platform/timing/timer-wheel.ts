/**
 * One interval for all the timeouts of the process (docs/reference/stream-transport.md#hot-path): thousands of streams each want a
 * heartbeat and a deadline that is pushed back with every event, and a Node timer each costs more than the event itself.
 */
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { IntrusiveListNode } from '../../../kernel/intrusive-list.js';

export const TICK_MS = 20;
/** Slots × tick is the span of one rotation (10 s); a later deadline stays in its slot for several rotations. */
const SLOTS = 512;

export interface TimerHandle {
  /** Idempotent; the callback will not run. */
  cancel(): void;
  /** Starts over with `delayMs` (default: the last delay). Also revives a timer that has fired or was cancelled. Costs one clock read. */
  restart(delayMs?: number): void;
  /** Milliseconds until it is due; 0 when it is due or not waiting. Costs one clock read. */
  readonly leftMs: number;
  /** When it is due, monotonic. */
  readonly deadlineMs: number;
}

class WheelTimer extends IntrusiveListNode implements TimerHandle {
  deadlineMs = 0;
  /** Undefined while it is not waiting. */
  slot: IntrusiveListNode | undefined;

  constructor(
    private readonly wheel: TimerWheel,
    private delayMs: number,
    readonly callback: () => void,
  ) {
    super();
  }

  get leftMs(): number {
    return this.slot === undefined ? 0 : this.wheel.leftMs(this);
  }

  cancel(): void {
    this.wheel.remove(this);
  }

  restart(delayMs = this.delayMs): void {
    this.delayMs = delayMs;
    this.wheel.arm(this, delayMs);
  }
}

const warn = (error: unknown): void => {
  process.emitWarning(error instanceof Error ? error : String(error));
};

export interface TimerWheelOptions {
  readonly clock?: Clock;
  /** Receives errors of callbacks, so that one does not stop the others. */
  readonly onError?: (error: unknown) => void;
}

/** Timers that fire up to two ticks (40 ms) late and never early. They never keep the process alive. */
export class TimerWheel {
  /** Intrusive lists, because sets would allocate. */
  private readonly slots = Array.from({ length: SLOTS }, () => new IntrusiveListNode());
  private readonly clock: Clock;
  private readonly onError: (error: unknown) => void;
  private interval: NodeJS.Timeout | undefined;
  private count = 0;
  /** Number of the last tick whose slot was processed. */
  private tick = 0;

  constructor(options: TimerWheelOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.onError = options.onError ?? warn;
  }

  /** Runs `callback` once, `delayMs` from now. O(1), like cancel and restart. */
  schedule(delayMs: number, callback: () => void): TimerHandle {
    const timer = new WheelTimer(this, delayMs, callback);
    this.arm(timer, delayMs);
    return timer;
  }

  /** Timers that are waiting; for tests and for the leak check of a drained relay. */
  get size(): number {
    return this.count;
  }

  /** Ticks that have passed, for times that may be one tick off; does not read the clock. Stands still while no timer waits. */
  get ticks(): number {
    return this.tick;
  }

  /** @internal */
  arm(timer: WheelTimer, delayMs: number): void {
    const now = this.clock.monotonicMs();
    const later = now + delayMs >= timer.deadlineMs;
    timer.deadlineMs = now + delayMs;
    // A later deadline leaves the timer in its slot: when that is processed, the timer moves on to the slot of its deadline.
    if (timer.slot !== undefined) {
      if (later) return;
      timer.unlink();
    } else {
      this.count += 1;
    }
    if (this.interval === undefined) this.start(now);
    this.place(timer);
  }

  /** @internal */
  leftMs({ deadlineMs }: WheelTimer): number {
    return Math.max(0, deadlineMs - this.clock.monotonicMs());
  }

  /** @internal */
  remove(timer: WheelTimer): void {
    if (timer.slot === undefined) return;
    timer.unlink();
    timer.slot = undefined;
    this.count -= 1;
  }

  /** Processes all slots that are due. Called by the interval, or by tests with a clock of their own. */
  advance(): void {
    const now = this.clock.monotonicMs();
    const current = Math.floor(now / TICK_MS);
    // After a stall of the event loop, one rotation over all slots is enough.
    const from = Math.max(this.tick + 1, current - SLOTS + 1);
    for (let tick = from; tick <= current; tick += 1) {
      this.tick = tick;
      this.visit(this.slotOf(tick), now);
    }
    if (this.count === 0) this.stop();
  }

  /** Callbacks may cancel, restart and schedule timers: those that enter this slot meanwhile belong to a later rotation. */
  private visit(slot: IntrusiveListNode, now: number): void {
    for (const timer of timersIn(slot)) {
      if (timer.slot !== slot) continue;
      if (timer.deadlineMs > now) {
        timer.unlink();
        this.place(timer);
        continue;
      }
      this.remove(timer);
      try {
        timer.callback();
      } catch (error) {
        this.onError(error);
      }
    }
  }

  private place(timer: WheelTimer): void {
    // The tick after the deadline, so that a timer whose slot is visited is due, and at least the next one to be visited.
    const due = Math.max(Math.floor(timer.deadlineMs / TICK_MS) + 1, this.tick + 1);
    // More than one rotation away: wait in the last slot of this rotation.
    timer.slot = this.slotOf(Math.min(due, this.tick + SLOTS));
    timer.slot.append(timer);
  }

  private slotOf(tick: number): IntrusiveListNode {
    // The modulo keeps the index inside the array.
    return this.slots[tick % SLOTS] as IntrusiveListNode;
  }

  private start(now: number): void {
    this.tick = Math.floor(now / TICK_MS);
    this.interval = setInterval(() => {
      this.advance();
    }, TICK_MS);
    this.interval.unref();
  }

  private stop(): void {
    clearInterval(this.interval);
    this.interval = undefined;
  }
}

function timersIn(slot: IntrusiveListNode): WheelTimer[] {
  const timers: WheelTimer[] = [];
  for (let at = slot.next; at instanceof WheelTimer; at = at.next) timers.push(at);
  return timers;
}

/** The wheel of this process. Its interval only runs while a timer waits. */
export const processTimerWheel = new TimerWheel();
