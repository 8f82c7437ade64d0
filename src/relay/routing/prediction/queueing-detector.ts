import type { AttemptForecast } from './attempt-forecast.js';
import type { AttemptEnd } from './attempt-prediction.js';
import { FIRST_TOKEN_MS } from './model-stats.js';

/** Shorter waits have other causes. */
export const TELLING_WAIT_MS = 1_000;
/** Batching slows every request down, at most by the number of requests; half more than that is queueing. */
const TOLERANCE = 1.5;

/**
 * Whether a run was queued inside its engine: its first event came later than prefill at that concurrency explains. null: unknown, because
 * a JSON answer has no first event, or the prefill rate is not learned yet.
 * @param others maximum concurrency beside it
 */
export function waitedInEngineQueue(
  { demand, model }: AttemptForecast,
  { firstEventMs, inputTokens, cachedTokens }: AttemptEnd,
  others: number,
): boolean | null {
  const { msPerToken } = model.quiet;
  if (!demand.stream || firstEventMs === null || inputTokens === null || msPerToken === null) return null;
  const aloneMs = FIRST_TOKEN_MS + (inputTokens - (cachedTokens ?? 0)) * msPerToken;
  const sharedMs = aloneMs * (1 + others);
  return firstEventMs > sharedMs * TOLERANCE && firstEventMs - sharedMs >= TELLING_WAIT_MS;
}
