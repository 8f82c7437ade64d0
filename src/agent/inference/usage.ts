import { isJsonObject, objectIn } from '../../kernel/json-object.js';
import type { UsageReport } from '../engines/engine.js';

const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;

/** OpenAI's `usage` object, whole or partial; null when the engine gave none. */
export function readUsage(usage: unknown): UsageReport | null {
  if (!isJsonObject(usage)) return null;
  const { prompt_tokens, completion_tokens } = usage;
  const input = count(prompt_tokens);
  const output = count(completion_tokens);
  if (input === null && output === null) return null;
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cached_tokens: count(objectIn(usage, 'prompt_tokens_details')['cached_tokens']),
    reasoning_tokens: count(objectIn(usage, 'completion_tokens_details')['reasoning_tokens']),
    source: 'engine',
  };
}

/** For an engine that reports no usage: the chunks with output are counted, the input is unknown. Null before the first output. */
export const countedUsage = (outputChunks: number): UsageReport | null =>
  outputChunks === 0
    ? null
    : { input_tokens: 0, output_tokens: outputChunks, cached_tokens: null, reasoning_tokens: null, source: 'counted' };

/** The `usage` of a document, which some engines give as `total_tokens` only; null when the engine gave none. */
export function documentUsage(usage: unknown): UsageReport | null {
  if (!isJsonObject(usage)) return null;
  const input = count(usage['prompt_tokens']) ?? count(usage['total_tokens']);
  if (input === null) return null;
  return { input_tokens: input, output_tokens: 0, cached_tokens: null, reasoning_tokens: null, source: 'engine' };
}
