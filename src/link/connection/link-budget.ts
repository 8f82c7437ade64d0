/** The bound on unread answer bytes over all streams of one link (docs/reference/link.md#flow-control), on both of its ends. */
import { LinkProtocolError } from '../link-errors.js';

/**
 * The node's side. Half of the bound is reserved in equal shares, one per possible stream, the other half is shared on demand.
 * So streams whose clients do not read cannot block the others, and the sum never exceeds the bound.
 */
export class SendBudget {
  private readonly reservePerStream: number;
  private readonly sharedBytes: number;
  private sharedUsed = 0;
  private someoneStarves = false;

  constructor(maxOutstandingBytes: number, maxStreams: number) {
    this.reservePerStream = Math.floor(maxOutstandingBytes / (2 * Math.max(1, maxStreams)));
    this.sharedBytes = maxOutstandingBytes - this.reservePerStream * maxStreams;
  }

  /** How much of `wanted` a stream with this much outstanding may send now. */
  allowance(outstanding: number, wanted: number): number {
    const allowed = Math.max(0, this.reservePerStream - outstanding) + this.sharedBytes - this.sharedUsed;
    if (allowed >= wanted) return wanted;
    this.someoneStarves = true;
    return allowed;
  }

  /** True once after someone got less than it wanted: worth asking all that wait whenever bytes come back. */
  takeStarving(): boolean {
    const starving = this.someoneStarves;
    this.someoneStarves = false;
    return starving;
  }

  /** A stream's outstanding bytes went from `before` to `after`, by sending, by a grant, or by its end. */
  moved(before: number, after: number): void {
    this.sharedUsed += this.beyondReserve(after) - this.beyondReserve(before);
  }

  private beyondReserve(outstanding: number): number {
    return Math.max(0, outstanding - this.reservePerStream);
  }
}

/** The relay's side. */
export class ReceiveBudget {
  private outstandingBytes = 0;

  constructor(private readonly maxOutstandingBytes: number) {}

  get outstanding(): number {
    return this.outstandingBytes;
  }

  /**
   * Over half of the bound, taken bytes must be granted at once instead of in half windows: a thousand streams that each hold back
   * a little credit would otherwise use up the bound with bytes that clients took long ago, and all would stand still.
   */
  get scarce(): boolean {
    return this.outstandingBytes * 2 > this.maxOutstandingBytes;
  }

  /** Answers true when these bytes made the budget scarce. @throws LinkProtocolError beyond the bound. */
  received(bytes: number): boolean {
    const before = this.scarce;
    this.outstandingBytes += bytes;
    if (this.outstandingBytes > this.maxOutstandingBytes) throw new LinkProtocolError('link window overrun');
    return !before && this.scarce;
  }

  /** Granted again, or no longer owed because their stream ended. */
  released(bytes: number): void {
    this.outstandingBytes -= bytes;
  }
}
