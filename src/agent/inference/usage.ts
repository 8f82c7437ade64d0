import type { UsageReport } from '../engines/engine.js';

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const count = (value: unknown): number | null =>
  Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : null;

/** OpenAI's `usage` object, whole or partial; null when the engine gave none. */
export function readUsage(usage: unknown): UsageReport | null {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = object(usage);
  const input = count(prompt_tokens);
  const output = count(completion_tokens);
  if (input === null && output === null) return null;
  return {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cached_tokens: count(object(prompt_tokens_details)['cached_tokens']),
    reasoning_tokens: count(object(completion_tokens_details)['reasoning_tokens']),
    source: 'engine',
  };
}
