/** Smaller bodies use Node's buffer pool, where an own allocation costs more than the copy. They are never transferred to a worker. */
const POOLED_BYTES = 2_048;

const allocate = (bytes: number): Buffer =>
  bytes <= POOLED_BYTES ? Buffer.allocUnsafe(bytes) : Buffer.allocUnsafeSlow(bytes);

/** The same bytes without the memory around them, which for a chunk of a socket is 64 KiB. */
export function ownCopyOf(chunk: Buffer): Buffer {
  const copy = allocate(chunk.byteLength);
  chunk.copy(copy);
  return copy;
}

/** Concatenates the chunks of a body, in a buffer of its own unless it is small. */
export class ByteCollector {
  private readonly whole: Buffer | undefined;
  private readonly parts: Buffer[] = [];
  private filled = 0;

  /** A known size needs one copy and no second buffer. The system commits only memory that is written to. */
  constructor(expected: number | undefined) {
    if (expected === undefined) return;
    this.whole = allocate(expected);
  }

  get size(): number {
    return this.filled;
  }

  /** The sum must not exceed the expected length; Node's parser never delivers more than the content-length. */
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
