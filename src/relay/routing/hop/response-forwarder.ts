import type { EndMessage, HeadMessage } from '../../../link/messages.js';
import type { NodeLinkStream } from '../../../link/stream/node-stream.js';

interface Chunk {
  readonly bytes: Uint8Array;
  readonly atBoundary: boolean;
}

/** A short JSON response whose end may follow in the same turn. */
interface ShortResponse {
  readonly head: HeadMessage;
  body: Uint8Array | null;
}

/**
 * Passes a response on: its bytes as far as the other replica gives credit. The node gets its credit back for what was passed on, so what waits
 * here is never more than the window of its stream. What the node has sent as one WHOLE goes on as one, where the other replica takes it.
 */
export class ResponseForwarder {
  private readonly waiting: Chunk[] = [];
  private writing = false;
  private atEnd: EndMessage | null = null;
  private short: ShortResponse | null = null;

  /** @param taken returns credit to the node */
  constructor(
    private readonly stream: Pick<NodeLinkStream, 'head' | 'write' | 'takesWhole' | 'whole' | 'end'>,
    private readonly consumed: (bytes: number) => void,
  ) {}

  begin(head: HeadMessage): void {
    if (head.content_length === null || !this.stream.takesWhole(head.content_length)) {
      this.stream.head(head);
      return;
    }
    this.short = { head, body: null };
    // A WHOLE says everything in one turn. A node that does not, or that hangs in between, delays nothing.
    queueMicrotask(() => {
      this.releaseShort();
    });
  }

  /** @param bytes a view of a message that nobody changes */
  push(bytes: Uint8Array, atBoundary: boolean): void {
    const { short } = this;
    if (short?.body === null && atBoundary && bytes.length === short.head.content_length) {
      short.body = bytes;
      return;
    }
    this.releaseShort();
    this.forward(bytes, atBoundary);
  }

  /** Sent when all bytes were passed on. */
  finish(end: EndMessage): void {
    const { short } = this;
    if (short?.body != null && this.stream.takesWhole(short.body.length)) {
      this.short = null;
      this.stream.whole(short.head, short.body, end);
      return;
    }
    this.releaseShort();
    if (this.writing) this.atEnd = end;
    else this.stream.end(end);
  }

  /** The stream has ended: nothing is passed on any more. */
  stop(): void {
    this.waiting.length = 0;
    this.atEnd = null;
    this.short = null;
  }

  private releaseShort(): void {
    const { short } = this;
    if (short === null) return;
    this.short = null;
    this.stream.head(short.head);
    if (short.body !== null) this.forward(short.body, true);
  }

  private forward(bytes: Uint8Array, atBoundary: boolean): void {
    // A copy, because the view would keep a whole message in memory for as long as it waits.
    if (this.writing) this.waiting.push({ bytes: Buffer.from(bytes), atBoundary });
    else this.write({ bytes, atBoundary });
  }

  private write({ bytes, atBoundary }: Chunk): void {
    const written = this.stream.write(bytes, atBoundary);
    if (written === undefined) {
      this.consumed(bytes.length);
      return;
    }
    this.writing = true;
    written.then(
      () => {
        this.writing = false;
        this.consumed(bytes.length);
        this.continue();
      },
      () => {
        this.stop();
      },
    );
  }

  private continue(): void {
    // In order, and `write` may begin to wait again.
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.write(next);
      if (this.writing) return;
    }
    const { atEnd } = this;
    this.atEnd = null;
    if (atEnd !== null) this.stream.end(atEnd);
  }
}
