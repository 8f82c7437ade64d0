import { describe, expect, it } from '@jest/globals';
import { BufferPool } from './buffer-pool.js';

const LARGE = 64 * 1024;

describe('memory of link messages', () => {
  it('memory of link messages is reused for a large message only after its release', () => {
    const pool = new BufferPool();
    const first = pool.take(LARGE);
    const second = pool.take(LARGE);
    expect(second.buffer).not.toBe(first.buffer);
    pool.give(first);
    const third = pool.take(LARGE + 1);
    expect(third.buffer).toBe(first.buffer);
    expect(third).toHaveLength(LARGE + 1);
  });

  it('memory of link messages has the exact size, also outside the pooled sizes', () => {
    const pool = new BufferPool();
    for (const size of [0, 10, LARGE, 10 * LARGE]) expect(pool.take(size)).toHaveLength(size);
  });

  it('keeps a bounded number of its own buffers', () => {
    const pool = new BufferPool();
    const taken = Array.from({ length: 40 }, () => pool.take(LARGE));
    for (const message of taken) pool.give(message);
    pool.give(Buffer.alloc(LARGE));
    const again = Array.from({ length: 40 }, () => pool.take(LARGE));
    const old = new Set(taken.map((message) => message.buffer));
    expect(again.filter((message) => old.has(message.buffer))).toHaveLength(16);
  });
});
