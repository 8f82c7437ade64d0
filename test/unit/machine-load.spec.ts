import { describe, expect, it } from '@jest/globals';
import { busyShare, foreignShare } from '../../bench/measure/machine-load.js';

/** Two cores for one second are 200 ticks. */
const from = { idle: 1_000, total: 5_000 };
const to = { idle: 1_080, total: 5_200 };

describe('share of the machine that other programs use', () => {
  it('share of the machine that other programs use is what the measurement did not use itself', () => {
    expect(busyShare(from, to)).toBeCloseTo(0.6);
    expect(foreignShare(from, to, 0.8)).toBeCloseTo(0.2);
  });

  it('share of the machine that other programs use is nothing where the measurement used all, however coarse its clock', () => {
    expect(foreignShare(from, to, 1.21)).toBe(0);
  });
});
