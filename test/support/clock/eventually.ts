import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Waits until `probe` returns something other than undefined or false. The timeout error names what was awaited. */
export async function eventually<Value>(
  what: string,
  probe: () => Promise<Value | undefined | false> | Value | undefined | false,
  withinMs = 15_000,
): Promise<Value> {
  const end = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`not within ${withinMs} ms: ${what}`, last === undefined ? undefined : { cause: last });
    }
    await delay(POLL_MS);
  }
}
