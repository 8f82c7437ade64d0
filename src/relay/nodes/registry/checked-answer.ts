import type { EndMessage, HeadMessage, OpenMessage, RejectMessage } from '../../../link/messages.js';
import type { RelayLinkStream, RelayStreamHandler, RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import { EventLines } from './event-lines.js';

/** A node makes a whole answer of at most 16 MiB of its engine's JSON; a translation may write more characters for the same text. */
const MAX_WHOLE_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * What a node says about one request, before anybody believes it: messages that are well formed and contradict the request or each other
 * are that node's failure, and never become an answer.
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

  /** To be reset when its node contradicts itself. */
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
