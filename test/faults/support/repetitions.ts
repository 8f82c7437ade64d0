/** Number of repetitions, random choices, and output of the figures. */
import type { Rng } from '../../../src/kernel/clock.js';

const DEFAULT_REPETITIONS = 2;

/** `FERRY_FAULT_REPETITIONS`: 2 keeps the suite short; the figures in docs/internals/reliability.md use 20. */
export const repetitions = Number(process.env['FERRY_FAULT_REPETITIONS'] ?? DEFAULT_REPETITIONS);

/** `FERRY_FAULT_SEED` repeats a run; each run prints its seed. */
export const seed = Number(process.env['FERRY_FAULT_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

/** mulberry32: small, and the same on every machine. */
export function seeded(start: number): Rng {
  let state = start | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const below = (random: Rng, limit: number): number => Math.floor(random() * limit);

export const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** One line for docs/internals/reliability.md. */
export function printFigures(scenario: string, figures: Readonly<Record<string, number | string>>): void {
  const parts = Object.entries(figures).map(
    ([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`,
  );
  process.stderr.write(`FIGURES ${scenario}: ${[...parts, `seed ${seed}`].join(', ')}\n`);
}
