/** Body of `POST /v1/responses` (docs/reference/public-api.md#create-a-response, docs/reference/client-protocols.md#responses). */
import { anyObject, anyOf, flag, integer, list, number, object, oneOfTexts, optional, ref, text } from '../schema.js';
import type { Schema } from '../schema.js';

export const responsesRequestSchemas: Readonly<Record<string, Schema>> = {
  ResponsesRequest: object(
    {
      model: text(
        'An `id` or `selector` of `GET /v1/models`. A display name that models of one canonical name share means any of them.',
      ),
      input: anyOf([text(), list(ref('ResponsesInputItem'))], 'A text, or the items of a conversation.'),
      ...optional({
        instructions: text('System instructions; those of earlier responses do not carry over.'),
        previous_response_id: text(
          'Continues an earlier response of this account while the computer that gave it is online and still has it. Keep the conversation yourself to recover from 404 `previous_response_not_found`.',
        ),
        store: flag('False: the answer cannot be continued, and nothing of it is kept.'),
        stream: flag('True: Server-Sent Events.'),
        max_output_tokens: integer('Most tokens to generate.'),
        tools: list(ref('ResponsesTool'), 'Your application runs the functions; nothing here does.'),
        tool_choice: anyOf([oneOfTexts(['none', 'auto', 'required']), anyObject('Names one tool, or those allowed.')]),
        parallel_tool_calls: flag('False: at most one call in an answer.'),
        reasoning: object(
          optional({
            effort: text('A level that the model supports.'),
            summary: text('`auto`, `concise` or `detailed`.'),
          }),
        ),
        text: object(optional({ format: ref('ResponsesTextFormat'), verbosity: text() })),
        temperature: number(),
        top_p: number(),
        top_k: integer(),
        min_p: number(),
        frequency_penalty: number(),
        presence_penalty: number(),
        repetition_penalty: number(),
        seed: integer(),
        stop: anyOf([text(), list(text())]),
        metadata: anyObject('Comes back in the response.'),
      }),
    },
    ['model'],
    '`input` is required unless `previous_response_id` is given. Fields not listed here never fail a request; `x-ferry-translation` names those that had no effect.',
  ),
  ResponsesInputItem: object(
    {
      type: text('`message` (the default), `function_call`, `function_call_output`, `reasoning`, `item_reference`, …'),
      role: oneOfTexts(['user', 'assistant', 'system', 'developer'], 'Of a message.'),
      content: anyOf([text(), list(ref('ResponsesInputPart'))], 'Of a message.'),
      id: text(),
      call_id: text('Of a call and of its output.'),
      name: text('Of a call.'),
      arguments: text('Of a call: JSON, as text.'),
      output: anyOf([text(), list(ref('ResponsesInputPart'))], 'Of `function_call_output`.'),
    },
    [],
    'Items of unknown kinds are ignored.',
  ),
  ResponsesInputPart: object(
    {
      type: text('`input_text`, `input_image`, `input_file`, `output_text`, … The model must take what you send.'),
      text: text(),
      image_url: text('`data:` URI, or a URL that the engine fetches.'),
      file_data: text(),
      filename: text(),
    },
    ['type'],
  ),
  ResponsesTool: object(
    {
      type: text('`function`.'),
      name: text(),
      ...optional({ description: text(), parameters: anyObject(), strict: flag() }),
    },
    ['type'],
  ),
  ResponsesTextFormat: object(
    { type: oneOfTexts(['text', 'json_object', 'json_schema']), name: text(), schema: anyObject('A JSON schema.') },
    ['type'],
  ),
};
