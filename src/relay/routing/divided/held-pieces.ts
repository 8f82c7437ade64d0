import type { Subscriber } from 'rxjs';

/** Bytes that are with the client's socket at a time: the rest stays here, where it counts against the memory limit. */
const WINDOW_BYTES = 1024 * 1024;

/** A response that is in memory as a whole, given to its reader as fast as that takes it. */
export class HeldPieces {
  readonly bytes: number;
  private next = 0;
  private unread = 0;
  private giving = false;

  constructor(
    private readonly pieces: readonly Buffer[],
    private readonly reader: Subscriber<Uint8Array>,
  ) {
    this.bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Completes the reader behind the last piece. */
  give(): void {
    // The reader may take a piece at once, which calls this again.
    if (this.giving) return;
    this.giving = true;
    while (this.unread < WINDOW_BYTES) {
      const piece = this.pieces[this.next];
      if (piece === undefined) break;
      this.next += 1;
      this.unread += piece.length;
      this.reader.next(piece);
    }
    this.giving = false;
    if (this.unread === 0 && this.next >= this.pieces.length) this.reader.complete();
  }

  consumed(bytes: number): void {
    this.unread -= bytes;
    this.give();
  }
}

const PIECE_BYTES = 64 * 1024;

/** Fewer and larger ones: a vector alone is a few kilobytes, and each piece is one write. */
export function asPieces(buffers: readonly Buffer[]): readonly Buffer[] {
  const pieces: Buffer[] = [];
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const buffer of buffers) {
    waiting.push(buffer);
    bytes += buffer.length;
    if (bytes < PIECE_BYTES) continue;
    pieces.push(Buffer.concat(waiting, bytes));
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) pieces.push(Buffer.concat(waiting, bytes));
  return pieces;
}
