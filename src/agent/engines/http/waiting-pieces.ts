/** Also as much as is handed on at once: what a stream makes of it may have to wait for credit. */
const BLOCK_BYTES = 4 * 1024;

/**
 * Pieces of a body that wait for their reader, in order; copies, because their memory belongs to the connection. Small ones are joined: an
 * engine may send each token in a piece of its own, and a view of a few bytes costs more memory than the bytes.
 */
export class WaitingPieces {
  private readonly pieces: Buffer[] = [];
  /** Bytes used of the last piece when it is a block; null when it is a single piece and has no room. */
  private used: number | null = null;
  private spare: Buffer | undefined;
  private waitingBytes = 0;

  get bytes(): number {
    return this.waitingBytes;
  }

  push(piece: Buffer): void {
    this.waitingBytes += piece.length;
    const rest = this.fill(piece);
    if (rest.length === 0) return;
    // A block holds no more than its size. And nearly always the reader comes before the next piece does, and no block is needed.
    if (rest.length >= BLOCK_BYTES || (this.spare === undefined && this.pieces.length === 0)) {
      this.pieces.push(Buffer.from(rest));
      this.used = null;
      return;
    }
    this.pieces.push(this.spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES));
    this.spare = undefined;
    this.used = 0;
    this.fill(rest);
  }

  /** The oldest of them, joined as far as they share a block; undefined when none wait. */
  shift(): Buffer | undefined {
    const first = this.pieces.shift();
    if (first === undefined) return undefined;
    const piece = this.pieces.length === 0 && this.used !== null ? first.subarray(0, this.used) : first;
    if (this.pieces.length === 0) this.used = null;
    this.waitingBytes -= piece.length;
    return piece;
  }

  /** The reader has not kept this piece: its block is reused, which avoids one garbage block per read. */
  reuse(piece: Buffer): void {
    const { buffer } = piece;
    if (buffer.byteLength === BLOCK_BYTES) this.spare = Buffer.from(buffer, 0, BLOCK_BYTES);
  }

  clear(): void {
    this.pieces.length = 0;
    this.used = null;
    this.waitingBytes = 0;
  }

  /** Copies what the last block has room for, and answers with the rest. */
  private fill(piece: Buffer): Buffer {
    const block = this.pieces.at(-1);
    if (this.used === null || block === undefined) return piece;
    const copied = piece.copy(block, this.used);
    this.used += copied;
    return piece.subarray(copied);
  }
}
