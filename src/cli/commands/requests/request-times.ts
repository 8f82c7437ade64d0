/** Figures of requests as columns show them. */
import { localMinute } from '../../core/output/time.js';
import type { Schemas } from '../../core/api/management-api.types.js';

const ID_CHARACTERS = 12;

/** Long enough to find the request with `ferry explain`. */
export const shortId = (id: string): string => (id.length <= ID_CHARACTERS ? id : `${id.slice(0, ID_CHARACTERS)}…`);

/** `0.19 s`; from ten seconds `12.3 s`; from ten minutes `14 min`. Empty without a value. */
export function seconds(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return '';
  if (Math.abs(ms) >= 600_000) return `${String(Math.round(ms / 60_000))} min`;
  return `${(ms / 1_000).toFixed(Math.abs(ms) < 10_000 ? 2 : 1)} s`;
}

/** Output tokens per second after the first one. */
export function tokensPerSecond({ output_tokens, ttft_ms, duration_ms }: Schemas['LoggedRequest']): number | null {
  if (ttft_ms === null || output_tokens < 2 || duration_ms <= ttft_ms) return null;
  return ((output_tokens - 1) * 1_000) / (duration_ms - ttft_ms);
}

/** `12 s ago`; the date after a day. */
export function ago(iso: string, nowMs: number): string {
  const at = Date.parse(iso);
  const elapsed = Math.max(0, Math.round((nowMs - at) / 1_000));
  if (elapsed < 60) return `${String(elapsed)} s ago`;
  if (elapsed < 3_600) return `${String(Math.floor(elapsed / 60))} min ago`;
  return elapsed < 86_400 ? `${String(Math.floor(elapsed / 3_600))} h ago` : localMinute(at / 1_000);
}

/** `14:02:31`. */
export function localSecond(iso: string): string {
  const date = new Date(iso);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
