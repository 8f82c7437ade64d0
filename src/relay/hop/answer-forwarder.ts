import type { NodeLinkStream } from '../../link/stream/node-stream.js';

interface Piece {
  readonly bytes: Uint8Array;
  readonly atBoundary: boolean;
}

/**
 * Passes the bytes of an answer on as far as the other replica gives credit. The node gets its credit back for what was passed on, so what waits
 * here is never more than the window of its stream.
 */
export class AnswerForwarder {
  private readonly waiting: Piece[] = [];
  private writing = false;
  private atEnd: (() => void) | null = null;

  /** @param taken returns credit to the node */
  constructor(
    private readonly stream: Pick<NodeLinkStream, 'write'>,
    private readonly taken: (bytes: number) => void,
  ) {}

  /** @param bytes a view of a message that nobody changes */
  push(bytes: Uint8Array, atBoundary: boolean): void {
    // A copy, because the view would keep a whole message in memory for as long as it waits.
    if (this.writing) this.waiting.push({ bytes: Buffer.from(bytes), atBoundary });
    else this.write({ bytes, atBoundary });
  }

  /** Runs when all bytes were passed on. */
  finish(run: () => void): void {
    if (this.writing) this.atEnd = run;
    else run();
  }

  /** The stream has ended: nothing is passed on any more. */
  stop(): void {
    this.waiting.length = 0;
    this.atEnd = null;
  }

  private write({ bytes, atBoundary }: Piece): void {
    const written = this.stream.write(bytes, atBoundary);
    if (written === undefined) {
      this.taken(bytes.length);
      return;
    }
    this.writing = true;
    written.then(
      () => {
        this.writing = false;
        this.taken(bytes.length);
        this.continue();
      },
      () => {
        this.stop();
      },
    );
  }

  private continue(): void {
    // In order, and `write` may begin to wait again.
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      this.write(next);
      if (this.writing) return;
    }
    const { atEnd } = this;
    this.atEnd = null;
    atEnd?.();
  }
}
