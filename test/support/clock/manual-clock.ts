import type { Clock } from '../../../src/kernel/clock.js';
import { settled } from './settled.js';

interface PendingTimer {
  readonly atMs: number;
  readonly work: () => void;
}

/** A clock with its timers. Time passes only when a test advances it. */
export class ManualClock implements Clock {
  private readonly pending = new Set<PendingTimer>();

  constructor(private currentMs = 1_000_000) {}

  get nowMs(): number {
    return this.currentMs;
  }

  get pendingTimers(): number {
    return this.pending.size;
  }

  /** Undefined when no timer is pending. */
  get nextTimerInMs(): number | undefined {
    const times = [...this.pending].map(({ atMs }) => atMs - this.currentMs);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  monotonicMs(): number {
    return this.currentMs;
  }

  wallMs(): number {
    return this.currentMs;
  }

  /** @returns cancels the timer */
  after(ms: number, work: () => void): () => void {
    const timer = { atMs: this.currentMs + ms, work };
    this.pending.add(timer);
    return () => {
      this.pending.delete(timer);
    };
  }

  /** Fires the timers that become due, in order. */
  advance(ms: number): void {
    const untilMs = this.currentMs + ms;
    while (this.fireNext(untilMs));
    this.currentMs = untilMs;
  }

  /** Like `advance`, but settles pending promises after each timer and at the end. */
  async advanceAndSettle(ms: number): Promise<void> {
    const untilMs = this.currentMs + ms;
    while (this.fireNext(untilMs)) await settled();
    this.currentMs = untilMs;
    await settled();
  }

  private fireNext(untilMs: number): boolean {
    const [next] = [...this.pending].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
    if (next === undefined) return false;
    this.pending.delete(next);
    this.currentMs = Math.max(this.currentMs, next.atMs);
    next.work();
    return true;
  }
}
