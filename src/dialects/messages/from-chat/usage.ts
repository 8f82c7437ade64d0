import type { EngineUsage } from '../../chat/engine-chunk.js';
import type { MessageUsage } from './message.js';

export const messageUsage = ({
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
}: EngineUsage): MessageUsage => ({
  // Unlike the engine's figure, without what came from a cache (docs/reference/client-protocols.md#messages).
  input_tokens: Math.max(0, inputTokens - cachedTokens),
  output_tokens: outputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens,
  output_tokens_details: { thinking_tokens: reasoningTokens },
});

/**
 * Clients of this dialect cannot do without figures (docs/reference/stream-transport.md#coding-agents-and-sdks), so an engine without any
 * is counted for.
 */
export const estimatedUsage = (inputTokens: number, outputTokens: number): MessageUsage => ({
  ...messageUsage({ inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0 }),
  output_tokens_details: null,
});
