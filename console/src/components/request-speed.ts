import type { LoggedRequest } from './logged-request';

/** In less, the tokens came in one piece: their distance is that of the network. */
const SHORTEST_DECODE_MS = 50;

type Timed = Pick<LoggedRequest, 'output_tokens' | 'ttft_ms' | 'duration_ms' | 'stream'>;

/** Output tokens per second from the first token on; null where that says nothing. */
export function speedOf({ output_tokens, ttft_ms, duration_ms }: Omit<Timed, 'stream'>): number | null {
  if (ttft_ms === null || output_tokens < 2 || duration_ms - ttft_ms < SHORTEST_DECODE_MS) return null;
  return (output_tokens - 1) / ((duration_ms - ttft_ms) / 1_000);
}

/** Why an answer has no speed. */
export function speedReason({ stream, ttft_ms }: Timed): string {
  if (!stream) return 'not measured: not streamed';
  return ttft_ms === null ? 'not measured' : 'too short to measure';
}
