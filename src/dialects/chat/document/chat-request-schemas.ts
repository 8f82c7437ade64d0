/**
 * Body of `POST /v1/chat/completions` (docs/reference/public-api.md#create-a-chat-completion,
 * docs/reference/client-protocols.md#chat-completions).
 */
import {
  anyObject,
  anyOf,
  flag,
  integer,
  list,
  literal,
  number,
  object,
  oneOfTexts,
  optional,
  ref,
  text,
} from '../../schema.js';
import type { Schema } from '../../schema.js';

const stop = anyOf([text(), list(text())], 'One or several stop sequences. They are not part of the response.');

export const chatRequestSchemas: Readonly<Record<string, Schema>> = {
  ChatRequest: object(
    {
      model: text(
        'An `id` or `selector` from `GET /v1/models`. A display name shared by models with the same canonical name selects any of them.',
      ),
      messages: { ...list(ref('ChatMessage')), minItems: 1 },
      ...optional({
        stream: flag('True: Server-Sent Events.'),
        max_tokens: integer('Maximum number of tokens to generate.'),
        temperature: number(),
        top_p: number(),
        frequency_penalty: number(),
        presence_penalty: number(),
        stop,
        tools: list(
          ref('ChatTool'),
          'Functions that the model may call. They are executed by your application, not by the relay or node.',
        ),
        tool_choice: anyOf([oneOfTexts(['none', 'auto', 'required']), anyObject('Names one tool.')]),
        parallel_tool_calls: flag('If false, a response has at most one tool call.'),
        response_format: ref('ChatResponseFormat'),
        stream_options: object(optional({ include_usage: flag('Adds a chunk with `usage` before `[DONE]`.') })),
        reasoning_effort: text('For reasoning models. The engine defines the supported levels.'),
        seed: integer(),
      }),
    },
    ['model', 'messages'],
    'Fields not listed here are passed to the engine unchanged, which accepts, ignores or refuses them.',
  ),
  ChatMessage: object(
    {
      role: oneOfTexts(['developer', 'system', 'user', 'assistant', 'tool', 'function']),
      ...optional({
        content: anyOf([text(), list(ref('ChatContentPart'))]),
        name: text(),
        tool_calls: list(ref('ChatToolCall'), 'For `assistant`: the tool calls of the model.'),
        tool_call_id: text('For `tool`: id of the tool call that this is the result of.'),
      }),
    },
    ['role'],
  ),
  ChatContentPart: object(
    {
      type: text('`text`, `image_url`, `input_audio`, `file`, … The model must support the input type.'),
      text: text(),
      image_url: anyOf([text(), object({ url: text('`data:` URI, or a URL that the engine fetches.') }, ['url'])]),
      input_audio: object({ data: text('Base64.'), format: text('`wav` or `mp3`.') }, ['data', 'format']),
      file: anyObject(),
    },
    ['type'],
  ),
  ChatTool: object(
    {
      type: text('`function`.'),
      function: object({ name: text(), description: text(), parameters: anyObject('JSON schema of the arguments.') }, [
        'name',
      ]),
    },
    ['type'],
  ),
  ChatToolCall: object(
    {
      id: text(),
      type: literal('function'),
      function: object({ name: text(), arguments: text('JSON, as text.') }, ['name', 'arguments']),
    },
    ['id', 'type', 'function'],
  ),
  ChatResponseFormat: object(
    {
      type: oneOfTexts(['text', 'json_object', 'json_schema']),
      json_schema: object(
        { name: text(), ...optional({ description: text(), strict: flag() }), schema: anyObject('A JSON schema.') },
        ['name'],
      ),
    },
    ['type'],
  ),
};
