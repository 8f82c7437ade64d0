/** Converts a chat completion to a message (docs/reference/translation.md#chat-answer-to-a-message). */
import { parseExact } from '../../../kernel/exact-json.js';
import { wellFormed } from '../../../kernel/well-formed-text.js';
import { isJsonObject, type JsonObject } from '../../../kernel/json-object.js';
import { readEngineResponse, readEngineUsage, type ToolCallFragment } from '../../chat/engine-chunk.js';
import { estimateTokens } from '../token-estimate.js';
import { CallIds } from './call-ids.js';
import { outcomeOf, matchedStopIn } from './outcome.js';
import {
  messageOf,
  MODEL_ITSELF,
  THINKING_SIGNATURE,
  type ResponseFacts,
  type ContentBlock,
  type Message,
  type ToolUseBlock,
} from './message.js';
import { estimatedUsage, messageUsage } from './usage.js';

/** Never throws: a response without a choice, which the engine adapter refuses, becomes an empty message. */
export function chatToMessage(response: JsonObject, facts: ResponseFacts): Message {
  const choice = readEngineResponse(response);
  const content: ContentBlock[] = [];
  const reasoning = choice?.reasoning ?? '';
  const text = (choice?.text ?? '') + (choice?.refusal ?? '');
  if (reasoning !== '') content.push({ type: 'thinking', thinking: reasoning, signature: THINKING_SIGNATURE });
  if (text !== '') content.push({ type: 'text', text });
  const calls = toolUses(choice?.toolCalls ?? [], facts);
  content.push(...calls);
  const outcome = outcomeOf({
    finishReason: choice?.finishReason ?? null,
    matchedStop: matchedStopIn(response),
    stopSequences: facts.stopSequences,
    calledTools: calls.length > 0,
    refused: (choice?.refusal ?? '') !== '',
  });
  const usage = readEngineUsage(response);
  const estimate = (): number => estimateTokens(content.map((block) => JSON.stringify(block)).join(''));
  return messageOf(
    facts,
    content,
    outcome,
    usage === null ? estimatedUsage(facts.inputTokensEstimate, estimate()) : messageUsage(usage),
  );
}

function toolUses(
  calls: readonly ToolCallFragment[],
  { newCallId, serialCalls }: ResponseFacts,
): readonly ToolUseBlock[] {
  const ids = new CallIds(newCallId);
  const named = calls.filter(({ name }) => name !== '');
  return (serialCalls ? named.slice(0, 1) : named).map((call) => ({
    type: 'tool_use',
    id: ids.idFor(call.id),
    name: call.name,
    input: inputOf(call.arguments),
    caller: MODEL_ITSELF,
  }));
}

/** Always an object, which clients need to run a call. */
export function inputOf(text: string): JsonObject {
  try {
    const input = wellFormed(parseExact(text, true));
    return isJsonObject(input) ? input : {};
  } catch {
    return {};
  }
}
