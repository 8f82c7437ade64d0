import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** Of one read of the system. */
const READ_BYTES = 8 * 1024;
/** Two of them may lie unread. */
const UNREAD_BYTES = 2 * READ_BYTES;

/** The system writes here for all connections: what arrives is copied before anything else runs. Node alone would allocate 64 KiB for each read. */
const arrived = Buffer.allocUnsafeSlow(READ_BYTES);

/**
 * Connections to an engine that read no more of its answer than what undici has asked for. While an answer is held back they read into the
 * same memory again and again, so a piece of an answer is valid only during the call that hands it over.
 */
export function engineConnector(timeoutMs: number): buildConnector.connector {
  const onread = { buffer: arrived, callback: (bytes: number): boolean => bytes > 0 };
  // Options of the socket that undici passes on and its types leave out.
  const ofSocket = { highWaterMark: UNREAD_BYTES, onread };
  const connect = buildConnector({ timeout: timeoutMs, ...ofSocket });
  return (options, callback) => {
    let reading: AnswerReading | undefined;
    // The socket, which is made during the call, keeps this one. Nothing arrives before it is connected.
    onread.callback = (bytes) => reading?.take(bytes) ?? true;
    connect(options, (...result) => {
      if (result[0] === null) reading = new AnswerReading(result[1]);
      callback(...result);
    });
  };
}

/**
 * A stream reads ahead as soon as it hands out what it has, and undici gives what it cannot use yet back to the socket when an answer is
 * paused: each pause and resumption would add one more read to what waits there, without a bound. Here the next read begins when undici,
 * which stops asking while an answer is paused, has found the socket empty.
 */
class AnswerReading {
  private wanted = false;
  /** Where reads go while an answer is held back: hundreds of such connections would otherwise fill the memory with garbage of whole reads. */
  private block: Buffer | undefined;
  /** The socket's `bytesWritten` when undici last gave something back; another value means that the next request has been sent since. */
  private heldAt: number | undefined;

  constructor(private readonly socket: Socket) {
    // Not the socket's own, which with `onread` has the system read at each call.
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

  /** So many bytes have arrived. Answers whether the system may bring more before they are asked for. */
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

  /** Not for the head of an answer: undici keeps views of a head that comes in several reads. */
  private inHeldAnswer(): boolean {
    if (this.heldAt === undefined) return false;
    if (this.heldAt !== this.socket.bytesWritten) this.heldAt = undefined;
    return this.heldAt !== undefined;
  }
}
