/** A full WebSocket message: what waits for a flush, and the frame that went over it. */
const MESSAGE_BYTES = 136 * 1024;
/** Smaller messages are the rule for tokens; Node's own pool serves them well. */
const WORTH_KEEPING_BYTES = 32 * 1024;
/** 2 MiB per process at most, whatever the number of links. */
const MAX_KEPT = 16;

/**
 * Memory of large messages, used again once the socket has taken them. A 16 MiB upload would otherwise make the collector run for
 * its memory alone, and each such pause holds up the tokens of every other stream.
 */
export class BufferPool {
  private readonly kept: Buffer[] = [];

  /** Exactly `size` bytes of whatever was there before. */
  take(size: number): Buffer {
    if (size < WORTH_KEEPING_BYTES || size > MESSAGE_BYTES) return Buffer.allocUnsafe(size);
    return (this.kept.pop() ?? Buffer.allocUnsafeSlow(MESSAGE_BYTES)).subarray(0, size);
  }

  /** Nobody reads these bytes any more. Anything that did not come from here is left to the collector. */
  give(message: Buffer): void {
    if (message.buffer.byteLength !== MESSAGE_BYTES || this.kept.length >= MAX_KEPT) return;
    this.kept.push(Buffer.from(message.buffer, 0, MESSAGE_BYTES));
  }
}

export const processBufferPool = new BufferPool();
