/** Status and usage of a finished response (docs/reference/translation.md#chat-answer-to-a-response). */
import type { Clock } from '../../../kernel/clock.js';
import type { EngineUsage } from '../../chat/engine-chunk.js';
import type { ClosedStatus } from '../items.js';
import type { ResponseUsage } from '../resource.js';

export interface RequestEnd {
  readonly status: ClosedStatus;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' | 'content_filter' } | null;
}

/** Unknown finish reasons of engines count as a normal end. */
export function outcomeOf(finishReason: string | null): RequestEnd {
  switch (finishReason) {
    case 'length':
      return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    case 'content_filter':
      return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
    default:
      return { status: 'completed', incomplete_details: null };
  }
}

export const responseUsage = (usage: EngineUsage): ResponseUsage => ({
  input_tokens: usage.inputTokens,
  output_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  // Required by the types of official SDKs; the chat protocol counts no tokens written into a cache.
  input_tokens_details: { cached_tokens: usage.cachedTokens, cache_write_tokens: 0 },
  output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
});

const MS_PER_SECOND = 1_000;

export const unixSeconds = (clock: Clock): number => Math.floor(clock.wallMs() / MS_PER_SECOND);
