/** Size of a block, and limit of a piece passed on at once, because its events may wait for credit. */
const BLOCK_BYTES = 4 * 1024;

/**
 * Queue of body pieces for their reader; copies, because their memory belongs to the connection. Small ones are joined, because an engine
 * may send each token separately and a view costs more memory than a few bytes.
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
    // Larger than a block, or the first one: usually the reader takes it before the next piece arrives.
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

  /** The oldest block or piece; undefined when the queue is empty. */
  shift(): Buffer | undefined {
    const first = this.pieces.shift();
    if (first === undefined) return undefined;
    const piece = this.pieces.length === 0 && this.used !== null ? first.subarray(0, this.used) : first;
    if (this.pieces.length === 0) this.used = null;
    this.waitingBytes -= piece.length;
    return piece;
  }

  /** The reader has released this piece: its block is reused, which avoids garbage. */
  reuse(piece: Buffer): void {
    const { buffer } = piece;
    if (buffer.byteLength === BLOCK_BYTES) this.spare = Buffer.from(buffer, 0, BLOCK_BYTES);
  }

  clear(): void {
    this.pieces.length = 0;
    this.used = null;
    this.waitingBytes = 0;
  }

  /** Copies into the last block as much as fits, and returns the rest. */
  private fill(piece: Buffer): Buffer {
    const block = this.pieces.at(-1);
    if (this.used === null || block === undefined) return piece;
    const copied = piece.copy(block, this.used);
    this.used += copied;
    return piece.subarray(copied);
  }
}
