import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** Size of one socket read. */
const READ_BYTES = 8 * 1024;
/** Two reads may be buffered. */
const UNREAD_BYTES = 2 * READ_BYTES;

/** Read buffer of all connections; each read is copied out before other code runs. Without it Node allocates 64 KiB per read. */
const arrived = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Connector whose sockets read only what undici asks for. While an answer is paused they reuse one buffer, so a chunk of an answer is valid
 * only during the callback that receives it.
 */
export function engineConnector(timeoutMs: number): buildConnector.connector {
  const onread = { buffer: arrived, callback: (bytes: number): boolean => bytes > 0 };
  // Socket options that undici passes on but does not type.
  const ofSocket = { highWaterMark: UNREAD_BYTES, onread };
  const connect = buildConnector({ timeout: timeoutMs, ...ofSocket });
  return (options, callback) => {
    let reading: AnswerReading | undefined;
    // The socket created by this call keeps this callback; no data arrives before it is connected.
    onread.callback = (bytes) => reading?.take(bytes) ?? true;
    connect(options, (...result) => {
      if (result[0] === null) reading = new AnswerReading(result[1]);
      callback(...result);
    });
  };
}

/**
 * A stream reads ahead as soon as its buffer is consumed, and undici returns unused data to the socket when an answer is paused: each pause
 * and resume would buffer one more read, without a bound. Here the next read begins only when undici, which does not read while an answer
 * is paused, has found the socket empty.
 */
class AnswerReading {
  private wanted = false;
  /** Buffer of reads while the answer is paused; hundreds of paused connections would otherwise produce garbage at every read. */
  private block: Buffer | undefined;
  /** The socket's `bytesWritten` when undici last returned data; a change means that the next request was sent. */
  private heldAt: number | undefined;

  constructor(private readonly socket: Socket) {
    // Not `socket.read`, which with `onread` starts a read at each call.
    const read = Duplex.prototype.read.bind(socket) as (bytes?: number) => unknown;
    const readAhead = socket._read.bind(socket);
    const putBack = socket.unshift.bind(socket);
    socket._read = () => {
      this.wanted = true;
    };
    socket.read = (bytes?: number): unknown => {
      const piece = read(bytes);
      if (this.wanted && piece === null && socket.readableLength === 0) {
        this.wanted = false;
        readAhead(READ_BYTES);
      }
      return piece;
    };
    socket.unshift = (piece: Buffer): void => {
      this.heldAt = socket.bytesWritten;
      putBack(piece);
    };
  }

  /** Takes a read. @returns whether the socket may continue to read */
  take(bytes: number): boolean {
    const { socket } = this;
    const empty = socket.readableLength === 0;
    if (empty && this.inHeldAnswer()) {
      this.block ??= Buffer.allocUnsafeSlow(READ_BYTES);
      arrived.copy(this.block, 0, 0, bytes);
      socket.push(this.block.subarray(0, bytes));
      return false;
    }
    const piece = Buffer.allocUnsafe(bytes);
    arrived.copy(piece, 0, 0, bytes);
    return socket.push(piece) && empty;
  }

  /** Not for response headers: undici keeps views of headers that arrive in several reads. */
  private inHeldAnswer(): boolean {
    if (this.heldAt === undefined) return false;
    if (this.heldAt !== this.socket.bytesWritten) this.heldAt = undefined;
    return this.heldAt !== undefined;
  }
}
