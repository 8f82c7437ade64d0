/** Figures of requests as columns show them. */
import type { Schemas } from '../../core/api/management-api.types.js';
import { tokenRate } from '../../core/output/quantities.js';

/** A code of the relay as people read it. */
export const inWords = (code: string): string => code.replaceAll('_', ' ');

/** `0.19 s`; from ten seconds `12.3 s`; from ten minutes `14 min`. Empty without a value. */
export function seconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '';
  if (Math.abs(ms) >= 600_000) return `${String(Math.round(ms / 60_000))} min`;
  return `${(ms / 1_000).toFixed(Math.abs(ms) < 10_000 ? 2 : 1)} s`;
}

/** Output tokens per second after the first one. null: too little to measure. */
export function tokensPerSecond({ output_tokens, ttft_ms, duration_ms }: Schemas['LoggedRequest']): number | null {
  return ttft_ms === null ? null : tokenRate(output_tokens, duration_ms - ttft_ms);
}
