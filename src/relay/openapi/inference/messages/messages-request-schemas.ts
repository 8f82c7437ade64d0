/** Body of `POST /v1/messages` (docs/reference/public-api.md#create-a-message, docs/reference/client-protocols.md#messages). */
import { anyObject, anyOf, flag, integer, list, number, object, oneOfTexts, optional, ref, text } from '../schema.js';
import type { Schema } from '../schema.js';

export const messagesRequestSchemas: Readonly<Record<string, Schema>> = {
  MessagesRequest: object(
    {
      model: text(
        'An `id` or `selector` of `GET /v1/models`. A display name that models of one canonical name share means any of them.',
      ),
      max_tokens: { ...integer('Most tokens to generate.'), minimum: 1 },
      messages: { ...list(ref('MessagesTurn')), minItems: 1 },
      ...optional({
        system: anyOf([text(), list(ref('MessagesBlock'))]),
        stream: flag('True: Server-Sent Events.'),
        tools: list(ref('MessagesTool'), 'Your application runs them; nothing here does.'),
        tool_choice: object({
          type: oneOfTexts(['auto', 'any', 'none', 'tool']),
          name: text('With `tool`.'),
          disable_parallel_tool_use: flag(),
        }),
        stop_sequences: list(text()),
        temperature: number(),
        top_p: number(),
        top_k: integer(),
        thinking: anyObject('For models that reason.'),
        output_config: anyObject('`effort`, and `format` for structured output.'),
        metadata: anyObject(),
      }),
    },
    ['model', 'max_tokens', 'messages'],
    'Fields not listed here are ignored or passed on; none of them fails a request. `anthropic-version` and `anthropic-beta` are optional.',
  ),
  MessagesTurn: object(
    { role: oneOfTexts(['user', 'assistant', 'system']), content: anyOf([text(), list(ref('MessagesBlock'))]) },
    ['role', 'content'],
  ),
  MessagesBlock: object(
    {
      type: text(
        '`text`, `image`, `document`, `thinking`, `tool_use`, `tool_result`, … The model must take what you send.',
      ),
      text: text(),
      source: anyObject('Of an image or a document.'),
      id: text('Of `tool_use`.'),
      name: text('Of `tool_use`.'),
      input: anyObject('Of `tool_use`: the arguments.'),
      tool_use_id: text('Of `tool_result`: the call it answers.'),
      content: anyOf([text(), list(anyObject())], 'Of `tool_result`.'),
      is_error: flag('Of `tool_result`.'),
    },
    ['type'],
  ),
  MessagesTool: object(
    { name: text(), ...optional({ description: text() }), input_schema: anyObject('JSON schema of the arguments.') },
    ['name'],
  ),
};
