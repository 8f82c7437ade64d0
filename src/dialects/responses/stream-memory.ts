/** Larger than nearly all `response.created` events. With a longer one (long instructions, many tools) the final event of a failure has less detail. */
const FIRST_EVENT_LIMIT_BYTES = 64 * 1024;
/** Enough for the end of an event with its number, or for `[DONE]`. */
const LAST_BYTES = 128;
const END_OF_EVENT = '\n\n';
const NOTHING = Buffer.alloc(0);

/**
 * The first event and the last bytes of a responses stream (docs/reference/link.md#failed-responses-streams): the only part of a response
 * that the relay keeps. Copies, because the bytes are views into larger messages.
 */
export class StreamMemory {
  private beginning: Buffer = NOTHING;
  private hasBeginning = false;
  private readonly end = Buffer.alloc(LAST_BYTES);
  private endLength = 0;

  /** The complete first event; null before that, or if it is too long. */
  get first(): Uint8Array | null {
    return this.hasBeginning && this.beginning.length > 0 ? this.beginning : null;
  }

  /** The last bytes; null before the first ones. */
  get last(): Uint8Array | null {
    return this.endLength === 0 ? null : this.end.subarray(0, this.endLength);
  }

  watch(bytes: Uint8Array): void {
    if (!this.hasBeginning) this.keepBeginning(bytes);
    const { length } = bytes;
    if (length >= LAST_BYTES) {
      this.end.set(bytes.subarray(length - LAST_BYTES));
      this.endLength = LAST_BYTES;
      return;
    }
    // A number may be split between two frames.
    const kept = Math.min(this.endLength, LAST_BYTES - length);
    this.end.copyWithin(0, this.endLength - kept, this.endLength);
    this.end.set(bytes, kept);
    this.endLength = kept + length;
  }

  private keepBeginning(bytes: Uint8Array): void {
    const known = this.beginning.length;
    const longer = Buffer.concat([this.beginning, bytes.subarray(0, FIRST_EVENT_LIMIT_BYTES - known)]);
    // The two bytes may arrive in different frames.
    const at = longer.indexOf(END_OF_EVENT, Math.max(0, known - 1));
    if (at !== -1) {
      this.beginning = Buffer.from(longer.subarray(0, at + END_OF_EVENT.length));
      this.hasBeginning = true;
    } else if (longer.length === FIRST_EVENT_LIMIT_BYTES) {
      this.beginning = NOTHING;
      this.hasBeginning = true;
    } else {
      this.beginning = longer;
    }
  }
}
