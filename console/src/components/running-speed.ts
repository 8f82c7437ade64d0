import type { RunningRequest } from '../api/use-stop-request';

/** Fewer say more about the clock than about the engine. */
const FEWEST_EVENTS = 5;
const SHORTEST_MEASURED_MS = 500;

type Measured = Pick<RunningRequest, 'output_events' | 'ttft_ms' | 'age_ms'>;

/** Tokens per second of a response so far, from the first one on; null where that says nothing yet. */
export function speedSoFar({ output_events: events, ttft_ms, age_ms }: Measured): number | null {
  if (events === null || ttft_ms === null || events < FEWEST_EVENTS) return null;
  const decodeMs = age_ms - ttft_ms;
  // The first one arrived when the time begins.
  return decodeMs < SHORTEST_MEASURED_MS ? null : (events - 1) / (decodeMs / 1_000);
}
