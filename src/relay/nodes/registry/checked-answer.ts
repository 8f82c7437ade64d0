import type { EndMessage, HeadMessage, OpenMessage, RejectMessage } from '../../../link/messages.js';
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
      }
      this.atLineStart = end !== -1;
      if (end === -1) break;
      at = end + 1;
    }
    return !atBoundary || (this.atLineStart && this.lastLineIsBlank);
  }
}

/** A node accepts at most 16 MiB of JSON from its engine; a translation to another dialect may be longer. */
const MAX_WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Validates the messages of a node about one request. Well-formed messages that contradict the request or each other count as a failure
 * of the node, and never become an answer.
 */
export class CheckedAnswer implements RelayStreamHandler {
  private stream: RelayLinkStream | null = null;
  private readonly lines: EventLines | null;

  constructor(
    private readonly asked: Pick<OpenMessage, 'stream'>,
    private readonly handler: RelayStreamHandler,
  ) {
    this.lines = asked.stream ? new EventLines() : null;
  }

  /** @param stream is reset when its node contradicts itself */
  attach(stream: RelayLinkStream): RelayLinkStream {
    this.stream = stream;
    return stream;
  }

  onAck(): void {
    this.handler.onAck();
  }

  onReject(message: RejectMessage): void {
    this.handler.onReject(message);
  }

  onHead(message: HeadMessage): void {
    if (this.suits(message)) this.handler.onHead(message);
    else this.refuse();
  }

  onData(bytes: Buffer, atBoundary: boolean): void {
    if (this.lines?.accept(bytes, atBoundary) === false) this.refuse();
    else this.handler.onData(bytes, atBoundary);
  }

  onEnd(message: EndMessage): void {
    const contradicts = message.outcome === 'completed' && message.failure !== null;
    this.handler.onEnd(contradicts ? { ...message, outcome: 'failed' } : message);
  }

  onLost(reason: RelayStreamLoss): void {
    this.handler.onLost(reason);
  }

  private suits({ content_type: type, content_length: length }: HeadMessage): boolean {
    if (this.asked.stream) return type === 'text/event-stream' && length === null;
    return type === 'application/json' && length !== null && length <= MAX_WHOLE_ANSWER_BYTES;
  }

  private refuse(): void {
    this.stream?.reset('internal');
    this.handler.onLost('internal');
  }
}
