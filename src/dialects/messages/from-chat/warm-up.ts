/**
 * The response to `max_tokens: 0`, with which clients have a prompt read for the requests that follow. The engine computes one token, because
 * none has a way to compute nothing, and that is thrown away (docs/reference/translation.md#chat-answer-to-a-message).
 */
import type { EngineUsage } from '../../chat/engine-chunk.js';
import { maxTokensReached, notEnded } from './outcome.js';
import { messageOf, type ResponseFacts, type Message, type MessageEvent, type MessageUsage } from './message.js';
import { estimatedUsage, messageUsage } from './usage.js';

const usageOf = (usage: EngineUsage | null, { inputTokensEstimate }: ResponseFacts): MessageUsage =>
  usage === null
    ? estimatedUsage(inputTokensEstimate, 0)
    : messageUsage({ ...usage, outputTokens: 0, reasoningTokens: 0 });

/** @param usage of the engine; null: it reported none */
export const warmedMessage = (usage: EngineUsage | null, facts: ResponseFacts): Message =>
  messageOf(facts, [], maxTokensReached, usageOf(usage, facts));

/** The same as a whole stream. */
export function warmedEvents(usage: EngineUsage | null, facts: ResponseFacts): readonly MessageEvent[] {
  const counted = usageOf(usage, facts);
  return [
    { type: 'message_start', message: messageOf(facts, [], notEnded, counted) },
    { type: 'message_delta', delta: maxTokensReached, usage: counted, context_management: null },
    { type: 'message_stop' },
  ];
}
