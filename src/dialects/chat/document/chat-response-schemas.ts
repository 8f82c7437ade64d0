/**
 * Answers of `POST /v1/chat/completions`, whole and as events (docs/reference/public-api.md#chat-completion,
 * docs/reference/public-api.md#events-of-a-chat-stream; docs/reference/client-protocols.md#chat-completions).
 */
import { anyObject, integer, list, literal, nullable, object, oneOfTexts, ref, text, whole } from '../../schema.js';
import type { Schema } from '../../schema.js';

const finishReason = oneOfTexts(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

/** Engines add fields of their own to all of these. */
export const chatResponseSchemas: Readonly<Record<string, Schema>> = {
  ChatCompletion: object(
    {
      id: text(),
      object: literal('chat.completion'),
      created: integer('Unix seconds.'),
      model: text('The id or selector in the request.'),
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
      reasoning_content: nullable(text('Reasoning text of the model, if the engine reports it.')),
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
    'Present if the engine reports token counts.',
  ),
  ChatCompletionChunk: object(
    {
      id: text('Identical in every chunk.'),
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
        'Empty in the chunk with `usage`.',
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
      index: integer('Index of the tool call that this fragment belongs to.'),
      id: text('Only in the first fragment.'),
      type: literal('function'),
      function: object({
        name: text('Only in the first fragment.'),
        arguments: text('Next fragment of the arguments, which are JSON text.'),
      }),
    },
    ['index'],
  ),
  OpenAIStreamError: whole({ error: ref('OpenAIErrorDetail') }, 'Last event of a failed stream. No `[DONE]` follows.'),
  ChatStreamEvent: {
    description: 'The `data` of one event. A successful stream ends with the literal `data: [DONE]`.',
    anyOf: [ref('ChatCompletionChunk'), ref('OpenAIStreamError')],
  },
};
