/** A full WebSocket message: what waits for a flush, and the frame that went over it. */
const MESSAGE_BYTES = 136 * 1024;
/** Smaller messages (tokens) are allocated from Node's own pool. */
const WORTH_KEEPING_BYTES = 32 * 1024;
/** 2 MiB per process at most, whatever the number of links. */
const MAX_KEPT = 16;

/**
 * Pool of buffers for large messages, reused once the socket has taken them. A 16 MiB upload would otherwise trigger garbage
 * collections of its own, and each pause delays the tokens of every other stream.
 */
export class BufferPool {
  private readonly kept: Buffer[] = [];

  /** A buffer of exactly `size` bytes, not zeroed. */
  take(size: number): Buffer {
    if (size < WORTH_KEEPING_BYTES || size > MESSAGE_BYTES) return Buffer.allocUnsafe(size);
    return (this.kept.pop() ?? Buffer.allocUnsafeSlow(MESSAGE_BYTES)).subarray(0, size);
  }

  /** Returns a buffer that is no longer read. Buffers of other origin are ignored. */
  give(message: Buffer): void {
    if (message.buffer.byteLength !== MESSAGE_BYTES || this.kept.length >= MAX_KEPT) return;
    this.kept.push(Buffer.from(message.buffer, 0, MESSAGE_BYTES));
  }
}

export const processBufferPool = new BufferPool();
