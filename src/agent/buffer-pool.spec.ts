import { afterAll, describe, expect, it } from '@jest/globals';
import { limitBufferPool } from './main.js';

describe('limitBufferPool', () => {
  const initial = Buffer.poolSize;

  afterAll(() => {
    Buffer.poolSize = initial;
  });

  it('makes a small buffer that is kept keep no more than 8 KiB', () => {
    Buffer.poolSize = 65_536;
    limitBufferPool();
    // The pool that was begun before is used up first.
    const kept = Array.from({ length: 200 }, () => Buffer.allocUnsafe(1_000)).at(-1)!;
    expect(kept.buffer.byteLength).toBeLessThanOrEqual(8_192);
  });

  it('leaves a smaller pool as it is', () => {
    Buffer.poolSize = 4_096;
    limitBufferPool();
    expect(Buffer.poolSize).toBe(4_096);
  });
});
