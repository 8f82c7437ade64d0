/** A stream with bytes to send and no credit. */
export interface CreditWaiter {
  /** Sends as much as the credit allows. Returns the number of bytes sent; `done` when nothing is left. */
  resume(): { readonly sent: number; readonly done: boolean };
  /** No credit arrived within the deadline: the stream must be ended. */
  expire(): void;
}

/**
 * Streams that wait for credit, with the start of their wait: every back-pressure wait has a deadline
 * (docs/reference/link.md#flow-control). There are no timers; the link's tick checks. Progress restarts a waiter's clock and moves it
 * to the end of the queue, so that the waiters share the link's budget.
 */
export class CreditWaiters {
  /** Absent until the first one: an empty Map takes 180 bytes of each idle link. */
  private waitingSinceMs: Map<CreditWaiter, number> | undefined;

  constructor(private readonly timeoutMs: number) {}

  get size(): number {
    return this.waitingSinceMs?.size ?? 0;
  }

  add(waiter: CreditWaiter, nowMs: number): void {
    this.waitingSinceMs ??= new Map();
    this.waitingSinceMs.set(waiter, nowMs);
  }

  remove(waiter: CreditWaiter): void {
    this.waitingSinceMs?.delete(waiter);
  }

  /** Credit came that may be of use to any of them. */
  resumeAll(nowMs: number): void {
    if (this.waitingSinceMs === undefined) return;
    for (const waiter of [...this.waitingSinceMs.keys()]) this.resume(waiter, nowMs);
  }

  /** Credit came for this one. */
  resume(waiter: CreditWaiter, nowMs: number): void {
    if (this.waitingSinceMs?.has(waiter) !== true) return;
    const { sent, done } = waiter.resume();
    if (!done && sent === 0) return;
    this.waitingSinceMs.delete(waiter);
    if (!done) this.waitingSinceMs.set(waiter, nowMs);
  }

  expireOverdue(nowMs: number): void {
    if (this.waitingSinceMs === undefined) return;
    for (const [waiter, sinceMs] of [...this.waitingSinceMs]) {
      if (nowMs - sinceMs < this.timeoutMs) continue;
      this.waitingSinceMs.delete(waiter);
      waiter.expire();
    }
  }
}
