import type { Rng } from '../../src/kernel/clock.js';

/** mulberry32: the same sequence on every machine. */
export const seeded = (seed: number): Rng => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Never 0, whose logarithm is infinite. */
const positive = (random: Rng): number => 1 - random();

/** Exponentially distributed interval of independent events. */
export const exponential = (random: Rng, mean: number): number => -Math.log(positive(random)) * mean;

/** Log-normally distributed length of a text: most near the median, some many times as long. */
export const logNormal = (random: Rng, median: number, sigma: number): number =>
  median * Math.exp(sigma * Math.sqrt(-2 * Math.log(positive(random))) * Math.cos(2 * Math.PI * random()));
