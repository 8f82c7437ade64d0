/** Credit of one stream in one direction: the bytes that may be in flight or unread. */
import { LinkProtocolError } from '../link-errors.js';

/** Upper bound of a window: a peer may grant more than it received. */
export const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

/** The sender's side. */
export class SendWindow {
  private sentBytes = 0;
  private creditBytes: number;

  constructor(windowBytes: number) {
    this.creditBytes = windowBytes;
  }

  get available(): number {
    return this.creditBytes;
  }

  /** Sent and not granted again. */
  get outstanding(): number {
    return this.sentBytes;
  }

  /** @throws RangeError when the caller sends without credit. */
  consume(bytes: number): void {
    if (bytes > this.creditBytes) throw new RangeError('link bytes sent without credit');
    this.creditBytes -= bytes;
    this.sentBytes += bytes;
  }

  /** @throws LinkProtocolError when the window grows beyond any bound. */
  replenish(bytes: number): void {
    this.creditBytes += bytes;
    this.sentBytes = Math.max(0, this.sentBytes - bytes);
    if (this.creditBytes > MAX_WINDOW_BYTES) throw new LinkProtocolError('WINDOW over 16 MiB');
  }
}

/**
 * The receiver's side. Credit goes back in half windows: few WINDOW frames, and the sender rarely runs dry
 * (docs/reference/link.md#flow-control).
 */
export class ReceiveWindow {
  private outstandingBytes = 0;
  private consumedBytes = 0;

  constructor(private readonly windowBytes: number) {}

  /** Received and not granted again. */
  get outstanding(): number {
    return this.outstandingBytes;
  }

  /** The sender may still send this many bytes. */
  get available(): number {
    return this.windowBytes - this.outstandingBytes;
  }

  /** @throws LinkProtocolError when the sender had no credit for these bytes. */
  received(bytes: number): void {
    this.outstandingBytes += bytes;
    if (this.outstandingBytes > this.windowBytes) throw new LinkProtocolError('window overrun');
  }

  /** The reader consumed `bytes`. Returns the credit to grant now: 0 until half a window has accumulated, unless `atOnce`. */
  consumed(bytes: number, atOnce = false): number {
    // Never more than was received, so that a miscounting reader cannot widen the window.
    this.consumedBytes = Math.min(this.consumedBytes + bytes, this.outstandingBytes);
    if (!atOnce && this.consumedBytes * 2 < this.windowBytes) return 0;
    const credit = this.consumedBytes;
    this.consumedBytes = 0;
    this.outstandingBytes -= credit;
    return credit;
  }
}
