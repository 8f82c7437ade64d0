import type { Rng } from './clock.js';

export interface BackoffLimits {
  readonly baseMs: number;
  readonly maxMs: number;
}

/**
 * Full jitter: `rand(0, min(max, base · 2^attempt))`. The whole range is random so that a thousand
 * agents that lost the same relay do not come back in the same instant (docs/reference/link.md#reconnect).
 */
export const fullJitterMs = (attempt: number, { baseMs, maxMs }: BackoffLimits, random: Rng): number =>
  random() * Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
