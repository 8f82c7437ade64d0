import type { AttemptEnd, AttemptForecast } from './attempt-forecast.js';
import { FIRST_TOKEN_MS } from './model-stats.js';

/** Shorter waits have many causes. */
export const TELLING_WAIT_MS = 1_000;
/** An engine that shares its speed makes everybody slower, at worst as many times as there are requests; half more is no sharing. */
const TOLERANCE = 1.5;

/**
 * Whether a run stood in its engine's own line: its first event came later than reading the prompt in company explains. null: nobody can
 * tell, because a whole answer has no first event of its own, or nobody knows yet how fast the engine reads.
 * @param others requests beside it, at most
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
