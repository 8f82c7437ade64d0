import { Duplex } from 'node:stream';

/** The receiver of what `pg` writes. */
export interface EmbeddedPort {
  open(id: number): void;
  send(id: number, bytes: Uint8Array): void;
  close(id: number): void;
}

/** First byte of the Terminate message, which is not forwarded: the session behind the port continues. */
const TERMINATE = 0x58;

/** A socket for `pg`: bytes of the Postgres protocol to and from the worker that owns the database. */
export class EmbeddedConnection extends Duplex {
  constructor(
    private readonly id: number,
    private readonly port: EmbeddedPort,
  ) {
    super();
  }

  /** Methods of a socket that `pg` calls. */
  connect(): this {
    this.port.open(this.id);
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    // Nothing to do: the worker pushes the result of a query.
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    if (chunk[0] !== TERMINATE) this.port.send(this.id, chunk);
    done();
  }

  /** `pg` corks the five messages of one query, so that they are sent as one. */
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void): void {
    const parts = chunks.map(({ chunk }) => chunk).filter((chunk) => chunk[0] !== TERMINATE);
    if (parts.length > 0) this.port.send(this.id, Buffer.concat(parts));
    done();
  }

  override _final(done: (error?: Error | null) => void): void {
    this.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.port.close(this.id);
    done(error);
  }
}
