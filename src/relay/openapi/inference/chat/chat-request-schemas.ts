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
} from '../schema.js';
import type { Schema } from '../schema.js';

const stop = anyOf([text(), list(text())], 'Text, or texts, at which the answer ends. Not part of the answer.');

export const chatRequestSchemas: Readonly<Record<string, Schema>> = {
  ChatRequest: object(
    {
      model: text(
        'An `id` or `selector` of `GET /v1/models`. A display name that models of one canonical name share means any of them.',
      ),
      messages: { ...list(ref('ChatMessage')), minItems: 1 },
      ...optional({
        stream: flag('True: Server-Sent Events.'),
        max_tokens: integer('Most tokens to generate.'),
        temperature: number(),
        top_p: number(),
        frequency_penalty: number(),
        presence_penalty: number(),
        stop,
        tools: list(ref('ChatTool'), 'Your application runs the functions; nothing here does.'),
        tool_choice: anyOf([oneOfTexts(['none', 'auto', 'required']), anyObject('Names one tool.')]),
        parallel_tool_calls: flag('False: at most one call in an answer.'),
        response_format: ref('ChatResponseFormat'),
        stream_options: object(optional({ include_usage: flag('One more chunk with `usage` before `[DONE]`.') })),
        reasoning_effort: text('For models that reason; their engine says which levels there are.'),
        seed: integer(),
      }),
    },
    ['model', 'messages'],
    'Fields not listed here go to the engine as they are; it decides about them.',
  ),
  ChatMessage: object(
    {
      role: oneOfTexts(['developer', 'system', 'user', 'assistant', 'tool', 'function']),
      ...optional({
        content: anyOf([text(), list(ref('ChatContentPart'))]),
        name: text(),
        tool_calls: list(ref('ChatToolCall'), 'Of an assistant: what it called.'),
        tool_call_id: text('Of a tool: the call it answers.'),
      }),
    },
    ['role'],
  ),
  ChatContentPart: object(
    {
      type: text('`text`, `image_url`, `input_audio`, `file`, … The model must take what you send.'),
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
