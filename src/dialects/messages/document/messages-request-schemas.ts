/** Body of `POST /v1/messages` (docs/reference/public-api.md#create-a-message, docs/reference/client-protocols.md#messages). */
import {
  anyObject,
  anyOf,
  flag,
  integer,
  list,
  number,
  object,
  oneOfTexts,
  optional,
  ref,
  text,
} from '../../schema.js';
import type { Schema } from '../../schema.js';

export const messagesRequestSchemas: Readonly<Record<string, Schema>> = {
  MessagesRequest: object(
    {
      model: text(
        'An `id` or `selector` from `GET /v1/models`. A display name shared by models with the same canonical name selects any of them.',
      ),
      max_tokens: { ...integer('Maximum number of tokens to generate.'), minimum: 1 },
      messages: { ...list(ref('MessagesTurn')), description: 'At least one, except where a thread is continued.' },
      ...optional({
        system: anyOf([text(), list(ref('MessagesBlock'))]),
        stream: flag('True: Server-Sent Events.'),
        tools: list(
          ref('MessagesTool'),
          'Tools that the model may call. They are executed by your application, not by the relay or node.',
        ),
        tool_choice: object({
          type: oneOfTexts(['auto', 'any', 'none', 'tool']),
          name: text('With `tool`.'),
          disable_parallel_tool_use: flag(),
        }),
        stop_sequences: list(text()),
        temperature: number(),
        top_p: number(),
        top_k: integer(),
        thinking: anyObject('For reasoning models.'),
        output_config: anyObject('`effort`, and `format` for structured output.'),
        metadata: anyObject(),
        thread: object(
          {
            type: oneOfTexts(['create', 'continue']),
            previous_message_id: text('With `continue`: the `id` of the last message of the thread.'),
          },
          ['type'],
          'Has the node keep the conversation, so that the next request sends the new turns only, without `system` and `tools`. Send the whole conversation to recover from 404 `thread_not_found`.',
        ),
      }),
    },
    ['model', 'max_tokens', 'messages'],
    'Fields not listed here are ignored or passed on and never fail a request. `anthropic-version` and `anthropic-beta` are optional.',
  ),
  MessagesTurn: object(
    { role: oneOfTexts(['user', 'assistant', 'system']), content: anyOf([text(), list(ref('MessagesBlock'))]) },
    ['role', 'content'],
  ),
  MessagesBlock: object(
    {
      type: text(
        '`text`, `image`, `document`, `thinking`, `tool_use`, `tool_result`, … The model must support the input type.',
      ),
      text: text(),
      source: anyObject('For an image or a document.'),
      id: text('Of `tool_use`.'),
      name: text('Of `tool_use`.'),
      input: anyObject('For `tool_use`: the arguments.'),
      tool_use_id: text('For `tool_result`: id of the tool call that this is the result of.'),
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
