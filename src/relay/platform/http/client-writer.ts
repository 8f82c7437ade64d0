import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { processTimerWheel, type TimerHandle, type TimerWheel } from '../timing/timer-wheel.js';

export interface ClientWriterOptions {
  readonly slowClientTimeoutMs: number;
  /** Bytes of the answer that the client's socket has taken since the last call. */
  readonly onTaken: (bytes: number) => void;
  /** The response is over, finished or not; called once. */
  readonly onClose: () => void;
  readonly wheel?: TimerWheel;
}

/** Node puts a short text behind the head and writes both as one; a buffer goes as a vector of two, which costs more than the copy. */
const JOINED_BYTES = 8_192;

/** Writes to a client at the client's pace: says what was taken, and cuts off a client that takes nothing. */
export class ClientWriter {
  /** Bytes written that the socket has not taken yet. */
  private owed = 0;
  private blocked = false;
  private ending = false;
  /** The head is out, and the body is chunked. */
  private chunked = false;
  private slow: TimerHandle | undefined;
  private readonly socket: Socket | null;

  constructor(
    private readonly res: ServerResponse,
    private readonly options: ClientWriterOptions,
  ) {
    this.socket = res.socket;
    // The response's own event says nothing about what goes past it.
    this.socket?.on('drain', this.drained);
    res.on('close', this.closed);
    // A socket that breaks while we write also closes; without a listener its error would end the process. It stays for late errors.
    if (res.listenerCount('error') === 0) res.on('error', ignore);
  }

  /** True when everything written so far was taken. */
  get idle(): boolean {
    return !this.blocked;
  }

  write(bytes: Uint8Array): void {
    if (this.send(bytes)) {
      this.options.onTaken(bytes.byteLength);
      return;
    }
    this.owed += bytes.byteLength;
    this.block();
  }

  /** For bytes that nobody gets credit for: keep-alives. */
  writeOwn(bytes: Uint8Array): void {
    if (!this.send(bytes)) this.block();
  }

  /**
   * Node writes a chunk as a vector of three buffers, one turn of its queue later. As one piece, and a small one as a text that needs no
   * buffer at all, an event costs less (docs/reference/stream-transport.md#hot-path). Head, first chunk and end stay Node's: all of them
   * pass through the socket in the order of these calls.
   */
  private send(bytes: Uint8Array): boolean {
    const { res, socket, blocked } = this;
    if (socket === null || !this.chunked) {
      // The bytes are a view of a whole link message. A client that does not read must hold its own part of it only.
      const taken = res.write(blocked ? Buffer.from(bytes) : bytes);
      this.chunked = res.chunkedEncoding;
      return taken;
    }
    if (blocked || bytes.byteLength > JOINED_BYTES) return socket.write(asChunk(bytes));
    return socket.write(`${bytes.byteLength.toString(16)}\r\n${asLatin1(bytes)}\r\n`, 'latin1');
  }

  /** The client still has to take what is left, in the same time. */
  end(bytes?: Uint8Array): void {
    this.ending = true;
    if (bytes === undefined) this.res.end();
    else if (bytes.byteLength <= JOINED_BYTES) this.res.end(asLatin1(bytes), 'latin1');
    else this.res.end(bytes);
    // Nearly always the system took all of it at once, and nobody has to be watched.
    if (this.socket === null || this.socket.writableLength > 0) this.block();
  }

  /**
   * The client must not take what it has for a whole answer: it sees a broken connection
   * (docs/reference/stream-transport.md#events-and-bytes).
   */
  destroy(): void {
    this.res.destroy();
  }

  /** Gives the response back untouched, so that somebody else can answer. */
  detach(): void {
    this.slow?.cancel();
    this.socket?.off('drain', this.drained);
    this.res.off('close', this.closed);
  }

  private block(): void {
    if (this.blocked) return;
    this.blocked = true;
    const { slowClientTimeoutMs, wheel = processTimerWheel } = this.options;
    if (this.slow === undefined) this.slow = wheel.schedule(slowClientTimeoutMs, () => this.res.destroy());
    else this.slow.restart();
  }

  private readonly drained = (): void => {
    if (!this.ending) {
      this.blocked = false;
      this.slow?.cancel();
    }
    const bytes = this.owed;
    this.owed = 0;
    if (bytes > 0) this.options.onTaken(bytes);
  };

  private readonly closed = (): void => {
    this.detach();
    this.options.onClose();
  };
}

const LINE_END = Buffer.from('\r\n');

/** RFC 9112 §7.1: length in hexadecimal, line end, the bytes, line end; a copy of its own. */
const asChunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, LINE_END]);

/** One character per byte: written as `latin1`, it is the same bytes again. */
const asLatin1 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1');

const ignore = (): void => undefined;
