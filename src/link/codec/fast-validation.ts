/**
 * Hand-written validation of the common HEAD and END: the schema costs ten times as much, twice per request on both ends. Every other
 * shape falls through to the schema, which stays the authority; a test proves that both agree.
 */
import { isJsonObject } from '../../kernel/json-object.js';
import type { EndMessage, HeadMessage, UsageReport } from '../messages.js';

/** The HEAD as the schema would return it; undefined when the schema must decide. */
export function fastValidatedHead(message: unknown): HeadMessage | undefined {
  if (!isJsonObject(message)) return undefined;
  const { status, content_type, content_length, translation, awaiting_output } = message;
  if (awaiting_output !== undefined) return undefined;
  if (status !== 200 || (content_type !== 'application/json' && content_type !== 'text/event-stream')) return undefined;
  if (content_length !== null && !isCount(content_length)) return undefined;
  if (!isJsonObject(translation)) return undefined;
  const { native, dropped, changed } = translation;
  if (changed !== undefined || typeof native !== 'boolean' || !isEmptyList(dropped)) return undefined;
  return { status, content_type, content_length, translation: { native, dropped: [] } };
}

/** The same for the END of a completed response without dropped fields. */
export function fastValidatedEnd(message: unknown): EndMessage | undefined {
  if (!isJsonObject(message)) return undefined;
  const { outcome, failure, usage, timings, dropped } = message;
  if (outcome !== 'completed' || failure !== null || !isEmptyList(dropped) || !isJsonObject(timings)) return undefined;
  const { first_event_ms, total_ms } = timings;
  if (!(first_event_ms === null || isCount(first_event_ms)) || !isCount(total_ms)) return undefined;
  const checked = usage === null ? null : fastValidatedUsage(usage);
  if (checked === undefined) return undefined;
  return { outcome, failure, usage: checked, timings: { first_event_ms, total_ms }, dropped: [] };
}

function fastValidatedUsage(usage: unknown): UsageReport | undefined {
  if (!isJsonObject(usage)) return undefined;
  const { input_tokens, output_tokens, cached_tokens, reasoning_tokens, source } = usage;
  if (!isCount(input_tokens) || !isCount(output_tokens)) return undefined;
  if (cached_tokens !== null && !isCount(cached_tokens)) return undefined;
  if (reasoning_tokens !== null && !isCount(reasoning_tokens)) return undefined;
  if (source !== 'engine' && source !== 'counted' && source !== 'estimated') return undefined;
  return { input_tokens, output_tokens, cached_tokens, reasoning_tokens, source };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
