import { randomBytes } from 'node:crypto';
import type { EngineObject, UsageReport } from '../../engine.js';
import type { GenerationUsage } from './output-event.js';

/** Fields common to all objects of one response. */
export interface ResponseEnvelope {
  readonly id: string;
  /** Seconds since the Unix epoch. */
  readonly created: number;
  readonly model: string;
  readonly system_fingerprint: string;
}

export const randomId = (prefix: string): string => `${prefix}${randomBytes(12).toString('hex')}`;

/** The matched stop text under vLLM's name, for the `messages` dialect; empty when the response ended otherwise. */
export const stopReason = (stopText: string | undefined): EngineObject =>
  stopText === undefined ? {} : { stop_reason: stopText };

/** The sums for metering; null before the first choice has begun. */
export const usageReport = (usages: readonly GenerationUsage[]): UsageReport | null => {
  const [first] = usages;
  if (first === undefined) return null;
  return {
    input_tokens: first.promptTokens,
    output_tokens: usages.reduce((sum, usage) => sum + usage.completionTokens, 0),
    cached_tokens: first.cachedTokens,
    reasoning_tokens: usages.reduce((sum, usage) => sum + usage.reasoningTokens, 0),
    source: 'engine',
  };
};

/** Sums over the choices of one request; the prompt counts once. */
export const usageObject = (usages: readonly GenerationUsage[]): EngineObject => {
  const [first] = usages;
  const promptTokens = first?.promptTokens ?? 0;
  const completionTokens = usages.reduce((sum, usage) => sum + usage.completionTokens, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: first?.cachedTokens ?? 0 },
    completion_tokens_details: { reasoning_tokens: usages.reduce((sum, usage) => sum + usage.reasoningTokens, 0) },
  };
};
