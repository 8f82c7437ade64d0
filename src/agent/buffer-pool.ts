const POOL_BYTES = 8 * 1024;

/**
 * Small buffers are parts of one larger piece of memory, which stays as long as one of them does. Node 24.21 made it 64 KiB instead of 8:
 * a stream that waits for credit keeps a few small buffers, and hundreds of such streams keep 80 KiB each instead of 50.
 */
export function limitBufferPool(): void {
  Buffer.poolSize = Math.min(Buffer.poolSize, POOL_BYTES);
}
