import type { ServerResponse } from 'node:http';
import { BURST_SECONDS, burstOf, type RateState } from './keyed-rate.js';

/**
 * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers): what is allowed in ten seconds, and what is left of it.
 * Policies that were told before on the same answer stay.
 */
export function tellRates(res: ServerResponse, states: readonly RateState[]): void {
  for (const { policy, remaining, resetMs } of states) {
    res.appendHeader('RateLimit-Policy', `"${policy.name}";q=${String(burstOf(policy))};w=${String(BURST_SECONDS)}`);
    res.appendHeader('RateLimit', `"${policy.name}";r=${String(remaining)};t=${String(Math.ceil(resetMs / 1_000))}`);
  }
}
