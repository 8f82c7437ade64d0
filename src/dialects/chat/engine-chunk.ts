/**
 * Reads engines' answers on the chat route in all known variants (docs/reference/translation.md#chat-stream-to-a-responses-stream,
 * docs/reference/stream-transport.md#events-and-bytes): a list that is null, arguments as an object, reasoning under three names. Never
 * throws: invalid values are ignored.
 */
import { elementsOf, isJsonObject, objectIn, type JsonObject } from '../../kernel/json-object.js';

/** A fragment of a tool call, or all of it. Texts are empty when absent. */
export interface ToolCallFragment {
  /** Null when absent; the position in the chunk is then used. */
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** One chunk adds this to the response. */
export interface EngineDelta {
  readonly reasoning: string;
  readonly text: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCallFragment[];
  /** Elements of `logprobs.content`, unread. */
  readonly logprobs: readonly unknown[];
  readonly finishReason: string | null;
}

export interface EngineUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
}

/** The first choice of a `chat.completion.chunk`; null when the chunk has none, as a usage chunk has not. */
export const readEngineChunk = (chunk: JsonObject): EngineDelta | null => readChoice(chunk, ['delta', 'message']);

/** The first choice of a `chat.completion`; null when there is none: no response at all. */
export const readEngineResponse = (response: JsonObject): EngineDelta | null => readChoice(response, ['message']);

/** Null when not reported: never estimated (docs/reference/translation.md#chat-answer-to-a-response). */
export function readEngineUsage(object: JsonObject): EngineUsage | null {
  const usage = object['usage'];
  if (!isJsonObject(usage)) return null;
  const inputTokens = countIn(usage, 'prompt_tokens');
  const outputTokens = countIn(usage, 'completion_tokens');
  if (inputTokens === null && outputTokens === null) return null;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    cachedTokens: countIn(objectIn(usage, 'prompt_tokens_details'), 'cached_tokens') ?? 0,
    reasoningTokens: countIn(objectIn(usage, 'completion_tokens_details'), 'reasoning_tokens') ?? 0,
  };
}

function readChoice(object: JsonObject, carriers: readonly string[]): EngineDelta | null {
  // Only one choice was requested; engines that send more number them.
  const choice = elementsOf(object['choices']).find(
    (candidate): candidate is JsonObject => isJsonObject(candidate) && (candidate['index'] ?? 0) === 0,
  );
  if (choice === undefined) return null;
  const carrier = carriers.map((name) => choice[name]).find(isJsonObject) ?? {};
  return {
    // Engines that migrate between the names send both, with the same text.
    reasoning:
      textOf(carrier['reasoning_content']) || textOf(carrier['reasoning']) || textOf(carrier['reasoning_text']),
    text: textOf(carrier['content']),
    refusal: textOf(carrier['refusal']),
    toolCalls: toolCallsIn(carrier),
    logprobs: elementsOf(objectIn(choice, 'logprobs')['content']),
    finishReason: textOf(choice['finish_reason']) || null,
  };
}

function toolCallsIn(carrier: JsonObject): readonly ToolCallFragment[] {
  const fragments = elementsOf(carrier['tool_calls']).filter(isJsonObject).map(fragmentOf);
  const legacy = carrier['function_call'];
  if (fragments.length > 0 || !isJsonObject(legacy)) return fragments;
  return [{ index: 0, id: '', name: textOf(legacy['name']), arguments: argumentsOf(legacy['arguments']) }];
}

function fragmentOf(call: JsonObject): ToolCallFragment {
  const called = objectIn(call, 'function');
  const index = call['index'];
  return {
    index: typeof index === 'number' ? index : null,
    id: textOf(call['id']),
    name: textOf(called['name']),
    arguments: argumentsOf(called['arguments']),
  };
}

const argumentsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);

/** A text, or the joined texts of a list of parts. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return elementsOf(value)
    .map((part) => (isJsonObject(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

const countIn = (object: JsonObject, name: string): number | null => {
  const value = object[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
};
