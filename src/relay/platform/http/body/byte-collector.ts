/** So much may lie in Node's pool beside others: memory of its own costs a small body more than its copy. It never goes to a worker. */
const POOLED_BYTES = 2_048;

/** Puts the portions of a body together, in memory that belongs to it alone unless it is small. */
export class ByteCollector {
  private readonly whole: Buffer | undefined;
  private readonly parts: Buffer[] = [];
  private filled = 0;

  /** With the size known, one copy and no second buffer at the end. Memory that is never written to is never taken from the system. */
  constructor(expected: number | undefined) {
    if (expected === undefined) return;
    this.whole = expected <= POOLED_BYTES ? Buffer.allocUnsafe(expected) : Buffer.allocUnsafeSlow(expected);
  }

  get size(): number {
    return this.filled;
  }

  /** The sum must not exceed what was expected; Node's parser never delivers more than the content-length. */
  add(part: Buffer): void {
    if (this.whole === undefined) this.parts.push(part);
    else part.copy(this.whole, this.filled);
    this.filled += part.byteLength;
  }

  bytes(): Buffer {
    if (this.whole !== undefined) return this.whole.subarray(0, this.filled);
    const joined = Buffer.allocUnsafeSlow(this.filled);
    let offset = 0;
    for (const part of this.parts) {
      part.copy(joined, offset);
      offset += part.byteLength;
    }
    this.parts.length = 0;
    return joined;
  }
}
