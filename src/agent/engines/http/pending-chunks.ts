/** Size of a block, and limit of a piece passed on at once, because its events may wait for credit. */
const BLOCK_BYTES = 4 * 1024;

/**
 * Queue of body pieces for their reader; copies, because their memory belongs to the connection. Small ones are joined, because an engine
 * may send each token separately and a view costs more memory than a few bytes.
 */
export class PendingChunks {
  private readonly chunks: Buffer[] = [];
  /** Bytes used of the last piece when it is a block; null when it is a single piece and has no room. */
  private used: number | null = null;
  private spare: Buffer | undefined;
  private waitingBytes = 0;

  get bytes(): number {
    return this.waitingBytes;
  }

  push(chunk: Buffer): void {
    this.waitingBytes += chunk.length;
    const rest = this.fill(chunk);
    if (rest.length === 0) return;
    // Larger than a block, or the first one: usually the reader takes it before the next piece arrives.
    if (rest.length >= BLOCK_BYTES || (this.spare === undefined && this.chunks.length === 0)) {
      this.chunks.push(Buffer.from(rest));
      this.used = null;
      return;
    }
    this.chunks.push(this.spare ?? Buffer.allocUnsafeSlow(BLOCK_BYTES));
    this.spare = undefined;
    this.used = 0;
    this.fill(rest);
  }

  /** The oldest block or piece; undefined when the queue is empty. */
  shift(): Buffer | undefined {
    const first = this.chunks.shift();
    if (first === undefined) return undefined;
    const chunk = this.chunks.length === 0 && this.used !== null ? first.subarray(0, this.used) : first;
    if (this.chunks.length === 0) this.used = null;
    this.waitingBytes -= chunk.length;
    return chunk;
  }

  /** The reader has released this piece: its block is reused, which avoids garbage. */
  reuse(chunk: Buffer): void {
    const { buffer } = chunk;
    if (buffer.byteLength === BLOCK_BYTES) this.spare = Buffer.from(buffer, 0, BLOCK_BYTES);
  }

  clear(): void {
    this.chunks.length = 0;
    this.used = null;
    this.waitingBytes = 0;
  }

  /** Copies into the last block as much as fits, and returns the rest. */
  private fill(chunk: Buffer): Buffer {
    const block = this.chunks.at(-1);
    if (this.used === null || block === undefined) return chunk;
    const copied = chunk.copy(block, this.used);
    this.used += copied;
    return chunk.subarray(copied);
  }
}
