/** A stream with bytes to send and no credit. */
export interface CreditWaiter {
  /** Sends what the credit allows. Answers how many bytes went; `done` when nothing is left. */
  resume(): { readonly sent: number; readonly done: boolean };
  /** No credit came in time: the stream is to be ended. */
  expire(): void;
}

/**
 * Who waits for credit and since when: every back-pressure wait has a deadline (docs/reference/link.md#flow-control). No timers, the
 * link's tick asks. Progress restarts a waiter's clock and puts it behind the others, so that they share what the link allows.
 */
export class CreditWaiters {
  private readonly waitingSinceMs = new Map<CreditWaiter, number>();

  constructor(private readonly timeoutMs: number) {}

  get size(): number {
    return this.waitingSinceMs.size;
  }

  add(waiter: CreditWaiter, nowMs: number): void {
    this.waitingSinceMs.set(waiter, nowMs);
  }

  remove(waiter: CreditWaiter): void {
    this.waitingSinceMs.delete(waiter);
  }

  /** Credit came that may be of use to any of them. */
  resumeAll(nowMs: number): void {
    for (const waiter of [...this.waitingSinceMs.keys()]) this.resume(waiter, nowMs);
  }

  /** Credit came for this one. */
  resume(waiter: CreditWaiter, nowMs: number): void {
    if (!this.waitingSinceMs.has(waiter)) return;
    const { sent, done } = waiter.resume();
    if (!done && sent === 0) return;
    this.waitingSinceMs.delete(waiter);
    if (!done) this.waitingSinceMs.set(waiter, nowMs);
  }

  expireOverdue(nowMs: number): void {
    for (const [waiter, sinceMs] of [...this.waitingSinceMs]) {
      if (nowMs - sinceMs < this.timeoutMs) continue;
      this.waitingSinceMs.delete(waiter);
      waiter.expire();
    }
  }
}
