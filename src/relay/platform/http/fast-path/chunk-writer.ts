import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import {
  ClientWriter,
  createClientWriter,
  type ClientWriterOptions,
  type CreateClientWriter,
} from '../client-writer.js';

/** Node appends a short string to the head and writes both at once; a buffer becomes a vector of two, which costs more than the copy. */
const JOINED_BYTES = 8_192;

/**
 * Writes the chunks of a chunked body to the socket of the response. `ServerResponse.write` corks the socket for a turn and writes each
 * chunk as three buffers; one piece, for small events a string without any buffer, costs less
 * (docs/reference/stream-transport.md#hot-path). Head, first chunk and end are still Node's. All pass through the socket in call order.
 */
class ChunkWriter extends ClientWriter {
  /** The head is written, and the body is chunked. */
  private chunked = false;

  constructor(
    res: ServerResponse,
    options: ClientWriterOptions,
    private readonly socket: Socket,
  ) {
    // The `drain` of the response does not cover writes that go past it.
    super(res, options, socket);
  }

  override readAhead(): number {
    return super.readAhead() + this.socket.writableLength;
  }

  protected override send(bytes: Uint8Array): boolean {
    if (!this.chunked || this.res.writableCorked > 0) {
      const taken = super.send(bytes);
      this.chunked = this.res.chunkedEncoding;
      // Since 24.22, Node keeps the chunks of a turn in the response, and the head with them: what went to the socket now would come before the
      // head. Until the next turn its return value is about those chunks; `drain` is that of the socket.
      return this.chunked && this.res.writableCorked > 0 ? !this.socket.writableNeedDrain : taken;
    }
    if (this.blocked || bytes.byteLength > JOINED_BYTES) return this.socket.write(asChunk(bytes));
    return this.socket.write(`${sizeLine(bytes.byteLength)}${asLatin1(bytes)}\r\n`, 'latin1');
  }

  protected override sendEnd(bytes: Uint8Array | undefined): number {
    if (bytes === undefined) this.res.end();
    else if (bytes.byteLength <= JOINED_BYTES) this.res.end(asLatin1(bytes), 'latin1');
    else this.res.end(bytes);
    return this.socket.writableLength;
  }
}

/** A response without a socket has nothing to write past. */
export const createChunkWriter: CreateClientWriter = (res, options) =>
  res.socket === null ? createClientWriter(res, options) : new ChunkWriter(res, options, res.socket);

const LINE_END = Buffer.from('\r\n');

/** RFC 9112 §7.1: length in hexadecimal, line end, the bytes, line end; a copy of its own. */
const asChunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(sizeLine(bytes.byteLength)), bytes, LINE_END]);

/** By length: events of a stream are of few different lengths, and V8 has no short way to write a number in hexadecimal. */
const sizeLines: string[] = Array.from({ length: 1_024 }, (_, length) => `${length.toString(16)}\r\n`);
const sizeLine = (length: number): string => sizeLines[length] ?? `${length.toString(16)}\r\n`;

/** One character per byte: written as `latin1`, it is the same bytes again. */
const asLatin1 = (bytes: Uint8Array): string =>
  (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).toString('latin1');
