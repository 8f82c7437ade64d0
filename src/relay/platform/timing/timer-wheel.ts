/**
 * One interval for all the timeouts of the process (docs/reference/stream-transport.md#hot-path): thousands of streams each want a
 * heartbeat and a deadline that is pushed back with every event, and a Node timer each costs more than the event itself.
 */
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { IntrusiveListNode } from '../../../kernel/intrusive-list.js';

const TICK_MS = 20;
/** Slots × tick is the span of one turn (10 s); a later deadline stays in its slot for more turns. */
const SLOTS = 512;

export interface TimerHandle {
  /** Idempotent; the callback will not run. */
  cancel(): void;
  /** Starts over with `delayMs` (default: the last delay). Also revives a timer that has fired or was cancelled. Costs one clock read. */
  restart(delayMs?: number): void;
  /** Until it is due; 0 when it is, or does not wait. Costs one clock read. */
  readonly leftMs: number;
}

class WheelTimer extends IntrusiveListNode implements TimerHandle {
  deadlineMs = 0;
  /** Undefined while it does not wait. */
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
  /** A callback that throws must not stop the others; what it threw ends here. */
  readonly onError?: (error: unknown) => void;
}

/** Timers that fire up to two ticks (40 ms) late and never early. They never keep the process alive. */
export class TimerWheel {
  /** Rings and not sets, which would leave garbage behind. */
  private readonly slots = Array.from({ length: SLOTS }, () => new IntrusiveListNode());
  private readonly clock: Clock;
  private readonly onError: (error: unknown) => void;
  private interval: NodeJS.Timeout | undefined;
  private count = 0;
  /** Number of the last tick whose slot was looked at. */
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

  /** @internal */
  arm(timer: WheelTimer, delayMs: number): void {
    const now = this.clock.monotonicMs();
    const later = now + delayMs >= timer.deadlineMs;
    timer.deadlineMs = now + delayMs;
    // Pushing a deadline back leaves the timer where it is: its slot looks at the deadline and moves it on when its turn comes.
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

  /** Looks at every slot whose time has come. Called by the interval; tests with their own clock call it themselves. */
  advance(): void {
    const now = this.clock.monotonicMs();
    const current = Math.floor(now / TICK_MS);
    // After a stall of the event loop one turn over all slots is enough.
    const from = Math.max(this.tick + 1, current - SLOTS + 1);
    for (let tick = from; tick <= current; tick += 1) {
      this.tick = tick;
      this.visit(this.slotOf(tick), now);
    }
    if (this.count === 0) this.stop();
  }

  /** Callbacks may cancel, restart and schedule what they like: whatever is put into this slot meanwhile is for a later turn. */
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
    // Further away than one turn: wait in the last slot of this turn.
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
