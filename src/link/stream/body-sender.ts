import { SendWindow } from '../connection/credit-window.js';
import type { FrameBatcher } from '../connection/frame-batcher.js';
import type { StreamQueue } from '../connection/stream-queue.js';

const EMPTY = Buffer.alloc(0);

/** Sends a request body to the node as views of one buffer, limited by the node's credit. */
export class BodySender {
  private readonly window: SendWindow;
  private sentBytes = 0;
  private done = false;

  constructor(
    private body: Buffer,
    windowBytes: number,
    private readonly queue: StreamQueue,
    private readonly batcher: FrameBatcher,
  ) {
    this.window = new SendWindow(windowBytes);
  }

  /** Bytes sent and not yet returned as credit. */
  get outstanding(): number {
    return this.window.outstanding;
  }

  replenish(credit: number): void {
    this.window.replenish(credit);
  }

  resume(): { sent: number; done: boolean } {
    if (this.done) return { sent: 0, done: true };
    const rest = this.body.length - this.sentBytes;
    const sent = Math.min(rest, this.window.available);
    if (sent === 0 && rest > 0) return { sent, done: false };
    this.done = sent === rest;
    this.window.consume(sent);
    const chunk = this.body.subarray(this.sentBytes, this.sentBytes + sent);
    this.sentBytes += sent;
    this.batcher.pushBody(this.queue, chunk, this.done);
    if (this.done) this.release();
    return { sent, done: this.done };
  }

  /** Frees the body, because a stream outlives its upload. Nothing more is sent. */
  release(): void {
    this.done = true;
    this.body = EMPTY;
  }
}
