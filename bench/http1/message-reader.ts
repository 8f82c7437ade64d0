/**
 * Parses HTTP/1.1 messages from a socket, for the engine and the generator. Both share the machine with the target, so parsing must be
 * cheap. The peers are trusted, so there are no limits.
 */
export interface MessageListener {
  /** @param text start line and headers, lower case */
  head(text: string): void;
  /** Bytes of the body, with chunked transfer coding decoded. */
  body(part: Buffer): void;
  end(): void;
}

type State = 'head' | 'sized' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

const LINE_FEED = 0x0a;
const NOTHING = Buffer.alloc(0);

export class MessageReader {
  private state: State = 'head';
  /** Bytes of an incomplete head or chunk line. */
  private held: Buffer = NOTHING;
  private left = 0;

  constructor(
    /** A response without a length continues until the connection closes; a request without one has no body. */
    private readonly role: 'request' | 'response',
    private readonly listener: MessageListener,
  ) {}

  push(part: Buffer): void {
    let at = 0;
    let bytes = part;
    if (this.held.length > 0) {
      bytes = Buffer.concat([this.held, part]);
      this.held = NOTHING;
    }
    while (at < bytes.length) {
      const next = this.step(bytes, at);
      if (next === undefined) {
        this.held = bytes.subarray(at);
        return;
      }
      at = next;
    }
  }

  /** The connection has closed. @returns false when it closed inside a message */
  closed(): boolean {
    const { state } = this;
    if (state === 'until-close') this.finish();
    return state === 'until-close' || (state === 'head' && this.held.length === 0);
  }

  /** @returns the offset to continue at, or undefined when more bytes are needed */
  private step(bytes: Buffer, at: number): number | undefined {
    switch (this.state) {
      case 'head':
        return this.head(bytes, at);
      case 'sized':
      case 'chunk': {
        const part = bytes.subarray(at, at + this.left);
        this.left -= part.length;
        this.listener.body(part);
        if (this.left === 0 && this.state === 'sized') this.finish();
        else if (this.left === 0) this.state = 'chunk-end';
        return at + part.length;
      }
      case 'until-close':
        this.listener.body(bytes.subarray(at));
        return bytes.length;
      case 'chunk-size':
      case 'chunk-end':
      case 'trailer':
        return this.line(bytes, at);
    }
  }

  private head(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf('\r\n\r\n', at, 'latin1');
    if (end === -1) return undefined;
    const text = bytes.toString('latin1', at, end).toLowerCase();
    const length = /\r\ncontent-length: *(\d+)/.exec(text)?.[1];
    this.listener.head(text);
    this.left = Number(length ?? 0);
    if (/\r\ntransfer-encoding: *chunked/.test(text)) this.state = 'chunk-size';
    else if (length === undefined && this.role === 'response') this.state = 'until-close';
    else if (this.left > 0) this.state = 'sized';
    else this.finish();
    return end + 4;
  }

  private line(bytes: Buffer, at: number): number | undefined {
    const end = bytes.indexOf(LINE_FEED, at);
    if (end === -1) return undefined;
    if (this.state === 'chunk-size') {
      this.left = Number.parseInt(bytes.toString('latin1', at, end), 16);
      this.state = this.left > 0 ? 'chunk' : 'trailer';
    } else if (this.state === 'chunk-end') {
      this.state = 'chunk-size';
    } else if (end - at <= 1) {
      this.finish();
    }
    return end + 1;
  }

  private finish(): void {
    this.state = 'head';
    this.listener.end();
  }
}
