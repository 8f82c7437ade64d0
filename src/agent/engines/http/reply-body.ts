import { StringDecoder } from 'node:string_decoder';
import { processBacklogTurns, type BacklogTurns } from './backlog-turns.js';
import { WaitingPieces } from './waiting-pieces.js';

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

export interface PieceReader {
  /**
   * The piece is valid during this call only. A promise holds what comes next back until it resolves, and the engine, too, once that is
   * much. What it throws or rejects with ends the reading and the connection.
   */
  take(piece: Buffer): Promise<void> | undefined;
  /** Read after every piece: true ends the reading. */
  readonly satisfied: boolean;
}

interface Reading {
  readonly reader: PieceReader;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The unread rest of the body. */
interface Tail {
  bytes: number;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * The body of an engine's answer, passed on piece by piece. A `Readable` and its iterator would cost a dozen objects and several microtask
 * turns per token; here a piece is a call, and a promise is created only when the reader has to be awaited.
 */
export class ReplyBody {
  private readonly waiting = new WaitingPieces();
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
  pipe(reader: PieceReader): Promise<void> {
    return new Promise((resolve, reject) => {
      this.reading = { reader, resolve, reject };
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

  /** Discards a short rest of the body so that the connection can be reused. */
  dropRest(): void {
    if (this.ended || this.failure !== undefined) return;
    this.tail = { bytes: 0, giveUp: setTimeout(() => this.destroy(), TAIL_TIMEOUT_MS).unref() };
    this.drop(this.tail, this.waiting.bytes);
    this.waiting.clear();
    this.sender.resume();
  }

  destroy(): void {
    this.sender.abort(new Error('the reader has stopped reading this response'));
  }

  /** For the connection: the next bytes. */
  push(piece: Buffer): void {
    const { reading, tail } = this;
    if (tail !== undefined) this.drop(tail, piece.length);
    else if (reading !== undefined && !this.held && this.waiting.bytes === 0) this.hand(reading, piece);
    else this.keep(piece);
  }

  /** For the connection: the body is complete. */
  end(): void {
    this.ended = true;
    clearTimeout(this.tail?.giveUp);
    this.settle();
  }

  /** For the connection: the body ended incomplete. */
  fail(error: unknown): void {
    this.failure ??= { error };
    clearTimeout(this.tail?.giveUp);
    this.settle();
  }

  private keep(piece: Buffer): void {
    this.waiting.push(piece);
    if (this.waiting.bytes > WAITING_BYTES) this.sender.pause();
  }

  private drop(tail: Tail, bytes: number): void {
    tail.bytes += bytes;
    if (tail.bytes > TAIL_LIMIT_BYTES) this.destroy();
  }

  private hand(reading: Reading, piece: Buffer): void {
    let taken: Promise<void> | undefined;
    try {
      taken = reading.reader.take(piece);
    } catch (error) {
      this.giveUp(reading, error);
      return;
    }
    if (taken === undefined) {
      if (reading.reader.satisfied) this.resolve(reading);
      return;
    }
    this.held = true;
    taken.then(
      () => {
        this.held = false;
        if (reading.reader.satisfied) this.resolve(reading);
        else this.turns.run(this.handNext);
      },
      (error: unknown) => {
        this.giveUp(reading, error);
      },
    );
  }

  /** One piece at a time, so that other delayed bodies get their share of the event loop turn. */
  private readonly handNext = (): boolean => {
    const { reading } = this;
    const piece = reading === undefined || this.held ? undefined : this.waiting.shift();
    if (reading !== undefined && piece !== undefined) {
      this.hand(reading, piece);
      this.waiting.reuse(piece);
    }
    if (this.waiting.bytes > 0 && !this.held && this.reading !== undefined) return true;
    this.settle();
    return false;
  };

  private flow(): void {
    while (this.reading !== undefined && !this.held) {
      const piece = this.waiting.shift();
      if (piece === undefined) break;
      this.hand(this.reading, piece);
    }
    this.settle();
  }

  /** Settles the reading once all pieces are consumed; resumes the sender until then. */
  private settle(): void {
    const { reading, failure } = this;
    if (reading === undefined || this.held || this.waiting.bytes > 0) return;
    if (failure !== undefined) {
      this.reading = undefined;
      reading.reject(failure.error);
    } else if (this.ended) {
      this.resolve(reading);
    } else {
      this.sender.resume();
    }
  }

  private resolve(reading: Reading): void {
    this.reading = undefined;
    reading.resolve();
  }

  private giveUp(reading: Reading, error: unknown): void {
    this.reading = undefined;
    this.destroy();
    reading.reject(error);
  }
}

class TextCollector implements PieceReader {
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

  take(piece: Buffer): undefined {
    this.bytes += piece.length;
    this.decoded += this.decoder.write(piece);
  }
}
