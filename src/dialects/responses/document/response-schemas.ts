/**
 * The response resource: every key in every snapshot (docs/reference/public-api.md#response-object,
 * docs/reference/client-protocols.md#responses).
 */
import {
  anyObject,
  anyOf,
  flag,
  integer,
  list,
  literal,
  nullable,
  number,
  object,
  oneOfTexts,
  ref,
  text,
  whole,
} from '../../schema.js';
import type { Schema } from '../../schema.js';

const status = oneOfTexts(['in_progress', 'completed', 'incomplete']);

export const responseSchemas: Readonly<Record<string, Schema>> = {
  Response: whole({
    id: text('`resp_…`; for `previous_response_id`.'),
    object: literal('response'),
    created_at: integer('Unix seconds.'),
    completed_at: nullable(integer('Unix seconds.')),
    status: oneOfTexts(['in_progress', 'completed', 'incomplete', 'failed']),
    incomplete_details: nullable(whole({ reason: text('`max_output_tokens` or `content_filter`.') })),
    model: text('The id or selector in the request.'),
    previous_response_id: nullable(text()),
    instructions: nullable(text()),
    output: list(ref('ResponseOutputItem')),
    error: nullable(whole({ code: text(), message: text() }, 'Null if there was none.')),
    tools: list(ref('ResponsesTool')),
    tool_choice: anyOf([text(), anyObject()]),
    truncation: oneOfTexts(['auto', 'disabled']),
    parallel_tool_calls: flag(),
    text: anyObject(),
    top_p: number(),
    presence_penalty: number(),
    frequency_penalty: number(),
    top_logprobs: integer(),
    temperature: number(),
    reasoning: nullable(whole({ effort: nullable(text()), summary: nullable(text()) })),
    usage: nullable(ref('ResponseUsage')),
    max_output_tokens: nullable(integer()),
    max_tool_calls: nullable(integer()),
    store: flag(),
    background: flag(),
    service_tier: text(),
    metadata: anyObject(),
    safety_identifier: nullable(text()),
    prompt_cache_key: nullable(text()),
    access_programs: nullable(anyObject()),
  }),
  ResponseUsage: whole(
    {
      input_tokens: integer(),
      output_tokens: integer(),
      total_tokens: integer(),
      input_tokens_details: whole({ cached_tokens: integer(), cache_write_tokens: integer('Always 0.') }),
      output_tokens_details: whole({ reasoning_tokens: integer() }),
    },
    'Null if the engine does not report token counts.',
  ),
  ResponseOutputItem: {
    anyOf: [
      ref('ResponseMessageItem'),
      ref('ResponseFunctionCallItem'),
      ref('ResponseReasoningItem'),
      ref('ResponseCustomToolCallItem'),
    ],
  },
  ResponseMessageItem: whole({
    type: literal('message'),
    id: text(),
    status,
    role: literal('assistant'),
    content: list(ref('ResponseContentPart')),
  }),
  ResponseContentPart: {
    anyOf: [
      object(
        { type: literal('output_text'), text: text(), annotations: list(anyObject()), logprobs: list(anyObject()) },
        ['type', 'text', 'annotations'],
      ),
      whole({ type: literal('refusal'), refusal: text() }),
    ],
  },
  ResponseFunctionCallItem: whole(
    {
      type: literal('function_call'),
      id: text(),
      call_id: text('Return the result in an item `function_call_output` with this id.'),
      name: text(),
      arguments: text('JSON, as text.'),
      status,
    },
    'To be executed by your application.',
  ),
  ResponseCustomToolCallItem: whole(
    { type: literal('custom_tool_call'), id: text(), call_id: text(), name: text(), input: text(), status },
    'Only for requests with custom tools.',
  ),
  ResponseReasoningItem: object(
    {
      type: literal('reasoning'),
      id: text(),
      summary: list(whole({ type: literal('summary_text'), text: text() })),
      encrypted_content: text('Only if the client requested it.'),
    },
    ['type', 'id', 'summary'],
  ),
};
