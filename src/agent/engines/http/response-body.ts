import { StringDecoder } from 'node:string_decoder';
import { processBacklogTurns, type BacklogTurns } from './backlog-turns.js';
import { PendingChunks } from './pending-chunks.js';

/** Buffered bytes above which the engine is paused. Each pause makes undici rescan the rest of its last read. */
const WAITING_BYTES = 8 * 1024;
/** A longer unread rest closes the connection instead of keeping it for reuse. */
const TAIL_LIMIT_BYTES = 16 * 1024;
const TAIL_TIMEOUT_MS = 1_000;

/** The connection that a body comes from. */
export interface BodySender {
  pause(): void;
  /** No effect without a pause. */
  resume(): void;
  /** Closes the connection, which cancels the request at the engine. Calls `fail` unless the body has ended. */
  abort(reason: Error): void;
}

export interface BodyChunks {
  /**
   * The piece is valid during this call only. A promise holds what comes next back until it resolves, and the engine, too, once that is
   * much. What it throws or rejects with ends the reading and the connection.
   */
  take(chunk: Buffer): Promise<void> | undefined;
  /** Read after every piece: true ends the reading. */
  readonly satisfied: boolean;
}

interface Reading {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The unread rest of the body. */
interface Tail {
  bytes: number;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * The body of an engine's response, passed on piece by piece. A `Readable` and its iterator would cost a dozen objects and several microtask
 * turns per token; here a piece is a call, and a promise is created only when the reader has to be awaited.
 */
export class ResponseBody {
  private readonly waiting = new PendingChunks();
  /** Whether `waiting` holds anything. Each token asks for this and for the reader, so they are not in objects of their own to be fetched. */
  private backlog = false;
  private reader: BodyChunks | undefined;
  /** Set as long as `reader` is. */
  private reading: Reading | undefined;
  /** The reader is still processing the last piece. */
  private held = false;
  private ended = false;
  private failure: { readonly error: unknown } | undefined;
  private tail: Tail | undefined;

  constructor(
    private readonly sender: BodySender,
    private readonly turns: Pick<BacklogTurns, 'run'> = processBacklogTurns,
  ) {}

  /**
   * Once per body. Resolves at the end of the body or when the reader is satisfied; after the latter call `dropRest` or `destroy`. Rejects
   * with the error of the body, after its earlier pieces, or of the reader.
   */
  pipe(reader: BodyChunks): Promise<void> {
    return new Promise((resolve, reject) => {
      this.reader = reader;
      this.reading = { resolve, reject };
      this.flow();
    });
  }

  /** The whole body; undefined, and destroyed, when it is longer than `limitBytes`. */
  async text(limitBytes: number): Promise<string | undefined> {
    const collector = new TextCollector(limitBytes);
    await this.pipe(collector);
    if (!collector.satisfied) return collector.finish();
    this.destroy();
    return undefined;
  }

  /** The same as bytes. */
  async bytes(limitBytes: number): Promise<Buffer | undefined> {
    const collector = new BytesCollector(limitBytes);
    await this.pipe(collector);
    if (!collector.satisfied) return collector.finish();
    this.destroy();
    return undefined;
  }

  /** Discards a short rest of the body so that the connection can be reused. */
  dropRest(): void {
    if (this.ended || this.failure !== undefined) return;
    this.tail = { bytes: 0, giveUp: setTimeout(() => this.destroy(), TAIL_TIMEOUT_MS).unref() };
    this.drop(this.tail, this.waiting.bytes);
    this.waiting.clear();
    this.backlog = false;
    this.sender.resume();
  }

  destroy(): void {
    this.sender.abort(new Error('the reader has stopped reading this response'));
  }

  /** The connection calls it with the next bytes. */
  push(chunk: Buffer): void {
    const { reader, tail } = this;
    if (tail !== undefined) this.drop(tail, chunk.length);
    else if (reader !== undefined && !this.held && !this.backlog) this.hand(reader, chunk);
    else this.keep(chunk);
  }

  /** For the connection: the body is complete. */
  end(): void {
    this.ended = true;
    clearTimeout(this.tail?.giveUp);
    this.settle();
  }

  /** The connection calls it when the body ended incomplete. */
  fail(error: unknown): void {
    this.failure ??= { error };
    clearTimeout(this.tail?.giveUp);
    this.settle();
  }

  private keep(chunk: Buffer): void {
    this.waiting.push(chunk);
    this.backlog = this.waiting.bytes > 0;
    if (this.waiting.bytes > WAITING_BYTES) this.sender.pause();
  }

  private drop(tail: Tail, bytes: number): void {
    tail.bytes += bytes;
    if (tail.bytes > TAIL_LIMIT_BYTES) this.destroy();
  }

  private hand(reader: BodyChunks, chunk: Buffer): void {
    let taken: Promise<void> | undefined;
    try {
      taken = reader.take(chunk);
    } catch (error) {
      this.giveUp(error);
      return;
    }
    if (taken === undefined) {
      if (reader.satisfied) this.resolve();
      return;
    }
    this.held = true;
    taken.then(
      () => {
        this.held = false;
        if (reader.satisfied) this.resolve();
        else this.turns.run(this.handNext);
      },
      (error: unknown) => {
        this.giveUp(error);
      },
    );
  }

  /** One piece at a time, so that other delayed bodies get their share of the event loop turn. */
  private readonly handNext = (): boolean => {
    const { reader } = this;
    const chunk = reader === undefined || this.held ? undefined : this.nextWaiting();
    if (reader !== undefined && chunk !== undefined) {
      this.hand(reader, chunk);
      this.waiting.reuse(chunk);
    }
    if (this.backlog && !this.held && this.reader !== undefined) return true;
    this.settle();
    return false;
  };

  private flow(): void {
    while (this.reader !== undefined && !this.held) {
      const chunk = this.nextWaiting();
      if (chunk === undefined) break;
      this.hand(this.reader, chunk);
    }
    this.settle();
  }

  private nextWaiting(): Buffer | undefined {
    const chunk = this.waiting.shift();
    this.backlog = this.waiting.bytes > 0;
    return chunk;
  }

  /** Settles the reading once all pieces are consumed; resumes the sender until then. */
  private settle(): void {
    const { failure } = this;
    if (this.reading === undefined || this.held || this.backlog) return;
    if (failure !== undefined) {
      this.endReading()?.reject(failure.error);
    } else if (this.ended) {
      this.resolve();
    } else {
      this.sender.resume();
    }
  }

  private resolve(): void {
    this.endReading()?.resolve();
  }

  private giveUp(error: unknown): void {
    const reading = this.endReading();
    this.destroy();
    reading?.reject(error);
  }

  /** The reading is over. */
  private endReading(): Reading | undefined {
    const { reading } = this;
    this.reader = undefined;
    this.reading = undefined;
    return reading;
  }
}

class BytesCollector implements BodyChunks {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(private readonly limitBytes: number) {}

  get satisfied(): boolean {
    return this.length > this.limitBytes;
  }

  finish(): Buffer {
    return Buffer.concat(this.chunks, this.length);
  }

  take(chunk: Buffer): undefined {
    this.length += chunk.length;
    // The memory is used again after this call.
    this.chunks.push(Buffer.from(chunk));
  }
}

class TextCollector implements BodyChunks {
  private readonly decoder = new StringDecoder('utf8');
  private decoded = '';
  private bytes = 0;

  constructor(private readonly limitBytes: number) {}

  get satisfied(): boolean {
    return this.bytes > this.limitBytes;
  }

  /** Once, at the end. */
  finish(): string {
    return this.decoded + this.decoder.end();
  }

  take(chunk: Buffer): undefined {
    this.bytes += chunk.length;
    this.decoded += this.decoder.write(chunk);
  }
}
