/** `response.created` of nearly every request; one with longer instructions and tools is told with less detail that it failed. */
const FIRST_EVENT_LIMIT_BYTES = 64 * 1024;
/** More than the end of an event with its number, or `[DONE]`, takes. */
const LAST_BYTES = 128;
const END_OF_EVENT = '\n\n';
const NOTHING = Buffer.alloc(0);

/**
 * What a responses stream began with, and how it went on last (docs/reference/link.md#failed-responses-streams): all that the relay ever
 * keeps of an answer. Copies, because the bytes are views into larger messages.
 */
export class StreamMemory {
  private beginning: Buffer = NOTHING;
  private hasBeginning = false;
  private readonly end = Buffer.alloc(LAST_BYTES);
  private endLength = 0;

  /** The first event, whole; null as long as it is not, and for ever if it is too long to be kept. */
  get first(): Uint8Array | null {
    return this.hasBeginning && this.beginning.length > 0 ? this.beginning : null;
  }

  /** The last bytes; null before there were any. */
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
    // A number may be cut where two frames meet.
    const kept = Math.min(this.endLength, LAST_BYTES - length);
    this.end.copyWithin(0, this.endLength - kept, this.endLength);
    this.end.set(bytes, kept);
    this.endLength = kept + length;
  }

  private keepBeginning(bytes: Uint8Array): void {
    const known = this.beginning.length;
    const longer = Buffer.concat([this.beginning, bytes.subarray(0, FIRST_EVENT_LIMIT_BYTES - known)]);
    // The two bytes may come apart.
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
