/**
 * Answers of `POST /v1/chat/completions`, whole and as events (docs/reference/public-api.md#chat-completion,
 * docs/reference/public-api.md#events-of-a-chat-stream; docs/reference/client-protocols.md#chat-completions).
 */
import { anyObject, integer, list, literal, nullable, object, oneOfTexts, ref, text, whole } from '../schema.js';
import type { Schema } from '../schema.js';

const finishReason = oneOfTexts(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

/** Engines add fields of their own to all of these. */
export const chatAnswerSchemas: Readonly<Record<string, Schema>> = {
  ChatCompletion: object(
    {
      id: text(),
      object: literal('chat.completion'),
      created: integer('Unix seconds.'),
      model: text('The id or selector that you asked for.'),
      choices: list(ref('ChatChoice')),
      usage: nullable(ref('TokenUsage')),
    },
    ['id', 'object', 'created', 'model', 'choices'],
  ),
  ChatChoice: object(
    {
      index: integer(),
      message: ref('ChatAnswerMessage'),
      logprobs: nullable(anyObject()),
      finish_reason: finishReason,
    },
    ['index', 'message', 'finish_reason'],
  ),
  ChatAnswerMessage: object(
    {
      role: literal('assistant'),
      content: nullable(text()),
      tool_calls: list(ref('ChatToolCall')),
      refusal: nullable(text()),
      reasoning_content: nullable(text('What a reasoning model thought, where its engine tells.')),
    },
    ['role', 'content'],
  ),
  TokenUsage: object(
    {
      prompt_tokens: integer(),
      completion_tokens: integer(),
      total_tokens: integer(),
      prompt_tokens_details: nullable(anyObject()),
      completion_tokens_details: nullable(anyObject()),
    },
    ['prompt_tokens', 'completion_tokens', 'total_tokens'],
    'Present when the engine counts.',
  ),
  ChatCompletionChunk: object(
    {
      id: text('The same in every chunk.'),
      object: literal('chat.completion.chunk'),
      created: integer('Unix seconds.'),
      model: text(),
      choices: list(
        object(
          {
            index: integer(),
            delta: ref('ChatDelta'),
            logprobs: nullable(anyObject()),
            finish_reason: nullable(finishReason),
          },
          ['index', 'delta'],
        ),
        'Empty in the chunk that carries `usage`.',
      ),
      usage: nullable(ref('TokenUsage')),
    },
    ['id', 'object', 'created', 'model', 'choices'],
  ),
  ChatDelta: object({
    role: literal('assistant'),
    content: nullable(text()),
    reasoning_content: nullable(text()),
    tool_calls: list(ref('ChatToolCallDelta')),
  }),
  ChatToolCallDelta: object(
    {
      index: integer('Which call this is a part of.'),
      id: text('With the first part only.'),
      type: literal('function'),
      function: object({ name: text('With the first part only.'), arguments: text('The next part of the JSON.') }),
    },
    ['index'],
  ),
  OpenAIStreamError: whole(
    { error: ref('OpenAIErrorDetail') },
    'The last event of a stream that could not finish. No `[DONE]` follows it.',
  ),
  ChatStreamEvent: {
    description: 'The `data` of one event. After the last one of a successful stream comes the literal `data: [DONE]`.',
    anyOf: [ref('ChatCompletionChunk'), ref('OpenAIStreamError')],
  },
};
