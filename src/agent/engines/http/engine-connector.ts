import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { buildConnector } from 'undici';

/** Size of one socket read. */
const READ_BYTES = 8 * 1024;
/** Two reads may be buffered. */
const UNREAD_BYTES = 2 * READ_BYTES;

/** Read buffer of all connections: a read is taken, or copied out, before the next one. Without it Node allocates 64 KiB per read. */
const arrived = Buffer.allocUnsafeSlow(READ_BYTES);
/** The read that undici is being told of, until it takes it. Of all connections, as they are read one after the other. */
let fresh: Buffer | null = null;

/**
 * Connector whose sockets read only what undici asks for, and hand it over where it arrived: a chunk of a response is valid only during the
 * callback that receives it.
 */
export function engineConnector(timeoutMs: number): buildConnector.connector {
  const onread = { buffer: arrived, callback: (bytes: number): boolean => bytes > 0 };
  // Socket options that undici passes on but does not type.
  const ofSocket = { highWaterMark: UNREAD_BYTES, onread };
  const connect = buildConnector({ timeout: timeoutMs, ...ofSocket });
  return (options, callback) => {
    let reading: ResponseReading | undefined;
    // The socket created by this call keeps this callback; no data arrives before it is connected.
    onread.callback = (bytes) => reading?.take(bytes) ?? true;
    connect(options, (...result) => {
      if (result[0] === null) reading = new ResponseReading(result[1]);
      callback(...result);
    });
  };
}

/**
 * What undici reads of a connection.
 *
 * A stream's own way, from `push` through its buffer and a tick to `read`, costs a copy and several objects for each token. Here undici is
 * told at once and reads the bytes where they arrived. Only what it does not take then is copied to the stream's buffer.
 *
 * A stream also reads ahead as soon as its buffer is consumed, and undici returns unused data to the socket when a response is paused: each
 * pause and resume would buffer one more read, without a bound. Here the next read begins only when undici, which does not read while an
 * answer is paused, has found the socket empty.
 */
class ResponseReading {
  private requested = false;
  /** No more is read until undici has found the socket empty. */
  private stopped = false;
  /** undici is being told of a read. */
  private handing = false;
  /** Called directly when undici is the only listener of `readable`: a look-up reads a table of this socket for each token. */
  private onReadable: ReadableListener | undefined;
  private head: 'expected' | 'complete' | 'in parts' = 'expected';
  /** undici has paused this response at least once, which it tells by returning what it has not used. */
  private held = false;
  /** … during the read that it is being told of. */
  private pausedNow = false;
  /** Buffer of what paused answers have not used; hundreds of paused connections would otherwise produce garbage at every read. */
  private block: Buffer | undefined;

  constructor(private readonly socket: Socket) {
    // Not `socket.read`, which with `onread` starts a read at each call.
    const read = Duplex.prototype.read.bind(socket) as (bytes?: number) => unknown;
    const readAhead = socket._read.bind(socket);
    const putBack = socket.unshift.bind(socket);
    const write = socket.write.bind(socket) as (...parts: unknown[]) => boolean;
    socket._read = () => {
      this.requested = true;
    };
    socket.read = (bytes?: number): unknown => {
      if (this.handing) return takeFresh();
      const chunk = read(bytes);
      if ((this.requested || this.stopped) && chunk === null && socket.readableLength === 0) {
        this.requested = false;
        this.stopped = false;
        readAhead(READ_BYTES);
      }
      return chunk;
    };
    socket.unshift = (chunk: Buffer): void => {
      this.held = true;
      this.pausedNow = true;
      if (chunk.length > 0) putBack(chunk.buffer === arrived.buffer ? this.inBlock(chunk) : chunk);
    };
    socket.write = (...parts: unknown[]): boolean => {
      this.head = 'expected';
      this.held = false;
      return write(...parts);
    };
  }

  /** Takes a read. @returns whether the socket may continue to read */
  take(bytes: number): boolean {
    const chunk = arrived.subarray(0, bytes);
    if (this.head === 'expected') this.head = holdsWholeHead(chunk) ? 'complete' : 'in parts';
    // undici keeps views of a head that arrives in several reads.
    const goesOn = this.head === 'complete' && this.hand(chunk) ? !this.pausedNow : this.keep(chunk);
    this.stopped = !goesOn;
    return goesOn;
  }

  /** @returns whether undici has taken it */
  private hand(chunk: Buffer): boolean {
    const { socket } = this;
    if (socket.readableLength > 0) return false;
    fresh = chunk;
    this.pausedNow = false;
    this.handing = true;
    try {
      this.onReadable ??= readableListener(socket);
      this.onReadable.call(socket);
    } finally {
      this.handing = false;
    }
    return takeFresh() === null;
  }

  private keep(chunk: Buffer): boolean {
    const { socket } = this;
    const empty = socket.readableLength === 0;
    if (empty && this.held) {
      socket.push(this.inBlock(chunk));
      return false;
    }
    return socket.push(Buffer.from(chunk)) && empty;
  }

  /** Only for a socket whose buffer is empty: the block may hold what was there. */
  private inBlock(chunk: Buffer): Buffer {
    this.block ??= Buffer.allocUnsafeSlow(READ_BYTES);
    chunk.copy(this.block);
    return this.block.subarray(0, chunk.length);
  }
}

type ReadableListener = (this: Socket) => void;

function readableListener(socket: Socket): ReadableListener {
  const [listener, ...others] = socket.listeners('readable') as ReadableListener[];
  return listener === undefined || others.length > 0 ? emitReadable : listener;
}

function emitReadable(this: Socket): void {
  this.emit('readable');
}

function takeFresh(): Buffer | null {
  const chunk = fresh;
  fresh = null;
  return chunk;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const STATUS_AT = 'HTTP/1.1 '.length;
const INTERIM = 0x31;

/** Whether a read, the first after a request, holds the head of the response. An interim response may be followed by a part of it. */
const holdsWholeHead = (chunk: Buffer): boolean => chunk[STATUS_AT] !== INTERIM && chunk.includes(HEAD_END);
