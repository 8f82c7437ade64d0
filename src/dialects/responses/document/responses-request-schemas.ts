/** Body of `POST /v1/responses` (docs/reference/public-api.md#create-a-response, docs/reference/client-protocols.md#responses). */
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

export const responsesRequestSchemas: Readonly<Record<string, Schema>> = {
  ResponsesRequest: object(
    {
      model: text(
        'An `id` or `selector` from `GET /v1/models`. A display name shared by models with the same canonical name selects any of them.',
      ),
      input: anyOf([text(), list(ref('ResponsesInputItem'))], 'A text, or the items of a conversation.'),
      ...optional({
        instructions: text('System instructions. Those of earlier responses are not carried over.'),
        previous_response_id: text(
          'Continues an earlier response of this account, while the computer that produced it is online and still stores it. Keep the conversation in your application to recover from 404 `previous_response_not_found`.',
        ),
        store: flag('If false, the response is not stored and cannot be continued.'),
        stream: flag('True: Server-Sent Events.'),
        max_output_tokens: integer('Maximum number of tokens to generate.'),
        tools: list(
          ref('ResponsesTool'),
          'Functions that the model may call. They are executed by your application, not by the relay or node.',
        ),
        tool_choice: anyOf([
          oneOfTexts(['none', 'auto', 'required']),
          anyObject('The tool that must be called, or the allowed tools.'),
        ]),
        parallel_tool_calls: flag('If false, a response has at most one tool call.'),
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
        metadata: anyObject('Returned in the response.'),
      }),
    },
    ['model'],
    '`input` is required unless `previous_response_id` is given. Fields not listed here never fail a request; `x-ferry-translation` lists those that had no effect.',
  ),
  ResponsesInputItem: object(
    {
      type: text('`message` (the default), `function_call`, `function_call_output`, `reasoning`, `item_reference`, …'),
      role: oneOfTexts(['user', 'assistant', 'system', 'developer'], 'For a message.'),
      content: anyOf([text(), list(ref('ResponsesInputPart'))], 'For a message.'),
      id: text(),
      call_id: text('For a call and its output.'),
      name: text('Of a call.'),
      arguments: text('For a call: the arguments, as JSON text.'),
      output: anyOf([text(), list(ref('ResponsesInputPart'))], 'Of `function_call_output`.'),
    },
    [],
    'Items of unknown kinds are ignored.',
  ),
  ResponsesInputPart: object(
    {
      type: text('`input_text`, `input_image`, `input_file`, `output_text`, … The model must support the input type.'),
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
