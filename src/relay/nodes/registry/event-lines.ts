const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A field of the node's own dialects begins with one of these, and so does a comment or a blank line. */
const LINE_BEGINNINGS: readonly number[] = [...Buffer.from('de:\n')];

/**
 * Looks at the lines of an event stream on its way through, and at nothing inside them. Nodes send `data:` and `event:` lines that end in a
 * line feed. `id:` and `retry:` would change how the client's parser reconnects, and a carriage return is an end of line for that parser.
 */
export class EventLines {
  private atLineStart = true;
  private lastLineIsBlank = true;

  /** @param atBoundary the node says that the last event is complete. @returns whether a node may send this */
  accept(bytes: Buffer, atBoundary: boolean): boolean {
    if (bytes.includes(CARRIAGE_RETURN)) return false;
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (this.atLineStart) {
        if (!LINE_BEGINNINGS.includes(bytes[at] ?? 0)) return false;
        this.lastLineIsBlank = end === at;
      }
      this.atLineStart = end !== -1;
      if (end === -1) break;
      at = end + 1;
    }
    return !atBoundary || (this.atLineStart && this.lastLineIsBlank);
  }
}
