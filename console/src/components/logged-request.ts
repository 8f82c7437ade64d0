import type { Schemas } from '../api/management-api.types';

export type LoggedRequest = Schemas['LoggedRequest'];

/** In less, the tokens came in one piece: their distance is that of the network. */
const SHORTEST_DECODE_MS = 50;

/** Output tokens per second from the first token on; null where that says nothing. */
export function speedOf({ output_tokens, ttft_ms, duration_ms }: LoggedRequest): number | null {
  if (ttft_ms === null || output_tokens < 2 || duration_ms - ttft_ms < SHORTEST_DECODE_MS) return null;
  return (output_tokens - 1) / ((duration_ms - ttft_ms) / 1_000);
}
