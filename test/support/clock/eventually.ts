import { setTimeout as delay } from 'node:timers/promises';
import { timeFactor } from '../../runner/time-factor.js';

const POLL_MS = 20;

/**
 * Waits until `probe` returns something other than undefined or false. The timeout error names what was awaited.
 * @param withinMs on a quiet computer: a bound of last resort, longer on a busy one
 */
export async function eventually<Value>(
  what: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  withinMs = 15_000,
): Promise<Value> {
  const end = performance.now() + withinMs * timeFactor;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(
        `not within ${withinMs * timeFactor} ms: ${what}`,
        last === undefined ? undefined : { cause: last },
      );
    }
    await delay(POLL_MS);
  }
}
