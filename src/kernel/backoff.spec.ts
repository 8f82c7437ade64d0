import { describe, expect, it } from '@jest/globals';
import { fullJitterMs } from './backoff.js';

const limits = { baseMs: 1_000, maxMs: 60_000 };

describe('full jitter', () => {
  it('spreads over the whole range from zero', () => {
    expect(fullJitterMs(3, limits, () => 0)).toBe(0);
    expect(fullJitterMs(3, limits, () => 0.5)).toBe(4_000);
  });

  it('doubles with each attempt up to the limit, however many attempts there were', () => {
    const ceilings = [0, 1, 5, 6, 1_000].map((attempt) => fullJitterMs(attempt, limits, () => 1));
    expect(ceilings).toEqual([1_000, 2_000, 32_000, 60_000, 60_000]);
  });
});
