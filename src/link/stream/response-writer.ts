import { SendWindow } from '../connection/credit-window.js';
import type { CreditWaiters } from '../connection/credit-waiters.js';
import type { FrameBatcher } from '../connection/frame-batcher.js';
import type { StreamQueue } from '../connection/stream-queue.js';
import type { SendBudget } from '../connection/link-budget.js';
import { LinkStreamClosedError, type StreamClosedReason } from '../link-errors.js';

interface PendingWrite {
  rest: Uint8Array;
  readonly atBoundary: boolean;
  readonly resolve: () => void;
  readonly reject: (error: LinkStreamClosedError) => void;
}

export interface ResponseWriterOptions {
  readonly windowBytes: number;
  readonly queue: StreamQueue;
  readonly batcher: FrameBatcher;
  readonly budget: SendBudget;
  readonly waiters: CreditWaiters;
  readonly nowMs: () => number;
  /** No credit arrived within the back-pressure timeout. */
  readonly onExpired: () => void;
}

/** Sends a response to the relay within the stream's credit and the link's budget. */
export class ResponseWriter {
  private readonly window: SendWindow;
  private pending: PendingWrite | undefined;
  private readonly queue: StreamQueue;
  private readonly batcher: FrameBatcher;
  private readonly budget: SendBudget;

  constructor(private readonly options: ResponseWriterOptions) {
    this.window = new SendWindow(options.windowBytes);
    // Used for each token, for which one object less is to be fetched.
    ({ queue: this.queue, batcher: this.batcher, budget: this.budget } = options);
  }

  get waiting(): boolean {
    return this.pending !== undefined;
  }

  /** Bytes sent and not yet returned as credit. */
  get outstanding(): number {
    return this.window.outstanding;
  }

  /** @returns undefined, without allocating a promise, when everything was within credit */
  write(bytes: Uint8Array, atBoundary: boolean): Promise<void> | undefined {
    const sent = this.send(bytes, atBoundary);
    if (sent === bytes.length) return undefined;
    this.options.waiters.add(this, this.options.nowMs());
    return new Promise((resolve, reject) => {
      this.pending = { rest: bytes.subarray(sent), atBoundary, resolve, reject };
    });
  }

  /** Whether all of it may be sent now. */
  fits(bytes: number): boolean {
    const { window } = this;
    return bytes <= window.available && this.budget.allowance(window.outstanding, bytes) === bytes;
  }

  /** Counts bytes that are sent in a frame of another kind. @throws RangeError when they do not fit */
  count(bytes: number): void {
    const before = this.window.outstanding;
    this.window.consume(bytes);
    this.budget.moved(before, before + bytes);
  }

  replenish(credit: number): void {
    const before = this.window.outstanding;
    this.window.replenish(credit);
    this.budget.moved(before, this.window.outstanding);
    this.options.waiters.resume(this, this.options.nowMs());
  }

  resume(): { sent: number; done: boolean } {
    const { pending } = this;
    if (pending === undefined) return { sent: 0, done: true };
    const sent = this.send(pending.rest, pending.atBoundary);
    pending.rest = pending.rest.subarray(sent);
    const done = pending.rest.length === 0;
    if (done) {
      this.pending = undefined;
      pending.resolve();
    }
    return { sent, done };
  }

  expire(): void {
    this.options.onExpired();
  }

  /** Drops the unsent bytes. The caller returns them to the budget. */
  close(reason: StreamClosedReason): void {
    const { pending } = this;
    this.pending = undefined;
    this.options.waiters.remove(this);
    pending?.reject(new LinkStreamClosedError(reason));
  }

  private send(bytes: Uint8Array, atBoundary: boolean): number {
    const { budget, batcher, queue } = this;
    const before = this.window.outstanding;
    const sent = budget.allowance(before, Math.min(bytes.length, this.window.available));
    if (sent === 0) return 0;
    this.count(sent);
    const whole = sent === bytes.length;
    batcher.pushData(queue, whole ? bytes : bytes.subarray(0, sent), whole && atBoundary);
    return sent;
  }
}
