import { describe, expect, it } from '@jest/globals';
import { BatchMemory } from './batch-memory.js';

const LARGE = 64 * 1024;

describe('memory of link messages', () => {
  it('is used again for a large message once it was given back, and not before', () => {
    const memory = new BatchMemory();
    const first = memory.take(LARGE);
    const second = memory.take(LARGE);
    expect(second.buffer).not.toBe(first.buffer);
    memory.give(first);
    const third = memory.take(LARGE + 1);
    expect(third.buffer).toBe(first.buffer);
    expect(third).toHaveLength(LARGE + 1);
  });

  it('has the exact size, also for what is too small or too large to keep', () => {
    const memory = new BatchMemory();
    for (const size of [0, 10, LARGE, 10 * LARGE]) expect(memory.take(size)).toHaveLength(size);
  });

  it('keeps a bounded number, and nothing that is not its own', () => {
    const memory = new BatchMemory();
    const taken = Array.from({ length: 40 }, () => memory.take(LARGE));
    for (const message of taken) memory.give(message);
    memory.give(Buffer.alloc(LARGE));
    const again = Array.from({ length: 40 }, () => memory.take(LARGE));
    const old = new Set(taken.map((message) => message.buffer));
    expect(again.filter((message) => old.has(message.buffer))).toHaveLength(16);
  });
});
