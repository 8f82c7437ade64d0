import type { EndMessage, HeadMessage, OpenMessage, RejectMessage, RejectReason } from '../../../link/messages.js';
import type { RelayLinkStream, RelayStreamHandler, RelayStreamLoss } from '../../../link/stream/relay-stream.js';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
/** A field of the node's own dialects begins with one of these, and so does a comment or a blank line. */
const LINE_BEGINNINGS: readonly number[] = [...Buffer.from('de:\n')];

/**
 * Checks the beginning and end of each line of an event stream. Nodes send `data:` and `event:` lines that end in a line feed. `id:` and
 * `retry:` would change how the client's parser reconnects, and a carriage return is an end of line for that parser.
 */
class EventLines {
  /** Complete ones. */
  count = 0;
  private atLineStart = true;
  private lastLineIsBlank = true;

  /** @param atBoundary the node declares the last event complete. @returns whether a node may send this */
  accept(bytes: Buffer, atBoundary: boolean): boolean {
    if (bytes.includes(CARRIAGE_RETURN)) return false;
    let at = 0;
    while (at < bytes.length) {
      const end = bytes.indexOf(LINE_FEED, at);
      if (this.atLineStart) {
        if (!LINE_BEGINNINGS.includes(bytes[at] ?? 0)) return false;
        this.lastLineIsBlank = end === at;
        if (end === at) this.count += 1;
      }
      this.atLineStart = end !== -1;
      if (end === -1) break;
      at = end + 1;
    }
    return !atBoundary || (this.atLineStart && this.lastLineIsBlank);
  }
}

/** A node accepts at most 16 MiB of JSON from its engine; a translation to another dialect may be longer. */
const MAX_WHOLE_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * The handler of one request's stream. Node output is hostile: a message that is well formed but contradicts the request or an earlier
 * message fails the node and never becomes a response. A base class instead of a wrapper, because every streamed event passes here.
 */
export abstract class CheckedResponse implements RelayStreamHandler {
  protected stream: RelayLinkStream | null = null;
  /** Set by {@link close}: frames of an attempt that is over are ignored, so that it cannot disturb a later one. */
  protected over = false;
  private request: Pick<OpenMessage, 'stream'> | null = null;
  private lines: EventLines | null = null;

  /** Events of its stream so far, about one for each token; null: it is no stream. */
  get receivedEvents(): number | null {
    return this.lines?.count ?? null;
  }

  /** Checks everything that follows against the request. To be called before the stream is opened; until then every head is refused. */
  validate(asked: Pick<OpenMessage, 'stream'>): void {
    this.request = asked;
    this.lines = asked.stream ? new EventLines() : null;
  }

  onAck(): void {
    if (!this.over) this.acknowledged();
  }

  onReject(message: RejectMessage): void {
    if (!this.over) this.refused(message.reason);
  }

  onHead(message: HeadMessage): void {
    if (this.over) return;
    if (this.suits(message)) this.begun(message);
    else this.fail();
  }

  readAhead(): number {
    return this.lines?.count ?? 0;
  }

  /** Hot path: one call per streamed event. */
  onData(bytes: Buffer, atBoundary: boolean): void {
    if (this.over) return;
    if (this.lines?.accept(bytes, atBoundary) === false) this.fail();
    else this.received(bytes, atBoundary);
  }

  onEnd(message: EndMessage): void {
    if (this.over) return;
    const contradicts = message.outcome === 'completed' && message.failure !== null;
    this.finished(contradicts ? { ...message, outcome: 'failed' } : message);
  }

  onLost(reason: RelayStreamLoss): void {
    if (!this.over) this.lost(reason);
  }

  protected abstract acknowledged(): void;
  protected abstract refused(reason: RejectReason): void;
  protected abstract begun(head: HeadMessage): void;
  protected abstract received(bytes: Uint8Array, atBoundary: boolean): void;
  protected abstract finished(end: EndMessage): void;
  protected abstract lost(loss: RelayStreamLoss): void;

  private suits({ content_type: type, content_length: length }: HeadMessage): boolean {
    if (this.request === null) return false;
    if (this.request.stream) return type === 'text/event-stream' && length === null;
    return type === 'application/json' && length !== null && length <= MAX_WHOLE_RESPONSE_BYTES;
  }

  private fail(): void {
    this.stream?.reset('internal');
    this.lost('internal');
  }
}
