import { StringDecoder } from 'node:string_decoder';
import { processBacklogTurns, type BacklogTurns } from './backlog-turns.js';
import { WaitingPieces } from './waiting-pieces.js';

/** Pieces that may wait for their reader before the engine is held up. Each pause has undici look at the rest of its last read again. */
const WAITING_BYTES = 8 * 1024;
/** What may follow the part that was wanted without costing the connection. */
const TAIL_LIMIT_BYTES = 16 * 1024;
const TAIL_TIMEOUT_MS = 1_000;

/** The connection that a body comes from. */
export interface BodySender {
  pause(): void;
  /** Without a pause before it, nothing happens. */
  resume(): void;
  /** Closes the connection, which is how engines learn of a cancel. Calls `fail` unless the body has ended. */
  abort(reason: Error): void;
}

export interface PieceReader {
  /** The piece is valid during this call only. A promise holds what comes next back until it resolves, and the engine, too, once that is much. What it throws or rejects with ends the reading and the connection. */
  take(piece: Buffer): Promise<void> | undefined;
  /** Asked after every piece: nothing more is wanted. */
  readonly satisfied: boolean;
}

interface Reading {
  readonly reader: PieceReader;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** What comes after the part that was wanted. */
interface Tail {
  bytes: number;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * The body of an engine's answer, handed on as the parser finds it. A `Readable` and its iterator make a dozen objects and several turns of
 * the microtask queue of every token; here a piece is a call, and a promise is made only where somebody has to be waited for.
 */
export class ReplyBody {
  private readonly waiting = new WaitingPieces();
  private reading: Reading | undefined;
  /** The last piece is still being taken. */
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
   * with what the body failed with, after the pieces that came before, or with what the reader failed with.
   */
  pipe(reader: PieceReader): Promise<void> {
    return new Promise((resolve, reject) => {
      this.reading = { reader, resolve, reject };
      this.flow();
    });
  }

  /** The whole body; undefined when it is longer than `limitBytes`, and given up then. */
  async text(limitBytes: number): Promise<string | undefined> {
    const collector = new TextCollector(limitBytes);
    await this.pipe(collector);
    if (!collector.satisfied) return collector.finish();
    this.destroy();
    return undefined;
  }

  /** What was wanted is here and only the connection is worth keeping: a short rest is waited for, out of everybody's way. */
  dropRest(): void {
    if (this.ended || this.failure !== undefined) return;
    this.tail = { bytes: 0, giveUp: setTimeout(() => this.destroy(), TAIL_TIMEOUT_MS).unref() };
    this.drop(this.tail, this.waiting.bytes);
    this.waiting.clear();
    this.sender.resume();
  }

  destroy(): void {
    this.sender.abort(new Error('nobody reads this answer any more'));
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

  /** For the connection: nothing more comes, and the body is not complete. */
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

  /** One piece at a time: others that were held back want their share of this turn of the event loop. */
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

  /** Tells the reader how it ended once it has had everything; until then, asks for more. */
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
