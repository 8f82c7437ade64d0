import type { EngineUsage } from '../../chat/engine-chunk.js';
import type { MessageUsage } from './message.js';

/** The types of the official SDKs require these, and no engine reports them. */
const notKnown = {
  cache_creation: null,
  fallback_credit: null,
  inference_geo: null,
  iterations: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
} as const;

export const messageUsage = ({
  inputTokens,
  outputTokens,
  cachedTokens,
  reasoningTokens,
}: EngineUsage): MessageUsage => ({
  // Cached tokens are excluded, unlike in the engine's figure (docs/reference/client-protocols.md#messages).
  input_tokens: Math.max(0, inputTokens - cachedTokens),
  output_tokens: outputTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: cachedTokens,
  output_tokens_details: { thinking_tokens: reasoningTokens },
  ...notKnown,
});

/**
 * Clients of this dialect require usage (docs/reference/stream-transport.md#coding-agents-and-sdks), so it is counted for engines that
 * report none.
 */
export const estimatedUsage = (inputTokens: number, outputTokens: number): MessageUsage => ({
  ...messageUsage({ inputTokens, outputTokens, cachedTokens: 0, reasoningTokens: 0 }),
  output_tokens_details: null,
});
