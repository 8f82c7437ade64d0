/**
 * The event grammar of `POST /v1/responses`: the name of each event is its `type`
 * (docs/reference/public-api.md#events-of-a-responses-stream, docs/reference/client-protocols.md#responses).
 */
import { integer, literal, nullable, object, ref, text, whole } from '../../schema.js';
import type { Properties, Schema } from '../../schema.js';

const snapshot: Properties = { response: ref('Response') };
const item: Properties = { output_index: integer(), item: ref('ResponseOutputItem') };
const inItem: Properties = { item_id: text(), output_index: integer() };
const inPart: Properties = { ...inItem, content_index: integer() };
const inSummary: Properties = { ...inItem, summary_index: integer() };
const summaryPart: Properties = { part: whole({ type: literal('summary_text'), text: text() }) };

const events: Readonly<Record<string, readonly [meaning: string, properties: Properties]>> = {
  'response.created': ['The first event.', snapshot],
  'response.in_progress': ['Processing started.', snapshot],
  'response.output_item.added': ['A new output item.', item],
  'response.output_item.done': ['The output item is complete.', item],
  'response.content_part.added': ['A new part of a message.', { ...inPart, part: ref('ResponseContentPart') }],
  'response.content_part.done': ['The part is complete.', { ...inPart, part: ref('ResponseContentPart') }],
  'response.output_text.delta': ['Next fragment of the text.', { ...inPart, delta: text() }],
  'response.output_text.done': ['The whole text.', { ...inPart, text: text() }],
  'response.refusal.delta': ['Next fragment of a refusal.', { ...inPart, delta: text() }],
  'response.refusal.done': ['The whole refusal.', { ...inPart, refusal: text() }],
  'response.function_call_arguments.delta': ['Next fragment of the arguments.', { ...inItem, delta: text() }],
  'response.function_call_arguments.done': ['The whole arguments.', { ...inItem, arguments: text() }],
  'response.custom_tool_call_input.delta': [
    'Next fragment of the input of a custom tool.',
    { ...inItem, delta: text() },
  ],
  'response.custom_tool_call_input.done': ['Complete input of a custom tool.', { ...inItem, input: text() }],
  'response.reasoning_summary_part.added': ['A new part of the reasoning.', { ...inSummary, ...summaryPart }],
  'response.reasoning_summary_part.done': ['The part is complete.', { ...inSummary, ...summaryPart }],
  'response.reasoning_summary_text.delta': ['Next fragment of the reasoning text.', { ...inSummary, delta: text() }],
  'response.reasoning_summary_text.done': ['The whole text.', { ...inSummary, text: text() }],
  'response.completed': ['Last event of a completed response.', snapshot],
  'response.incomplete': ['Last event of a response that was truncated by a limit.', snapshot],
  'response.failed': ['Last event of a failed response, after the event `error`.', snapshot],
};

const sequenceNumber = integer('Starts at 0 and increases by one with each event.');

/** `response.output_text.delta` → `ResponseOutputTextDeltaEvent` */
const nameOf = (type: string): string =>
  `${type.replaceAll(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())}Event`;

const eventSchemas = Object.fromEntries(
  Object.entries(events).map(([type, [meaning, properties]]): [string, Schema] => [
    nameOf(type),
    whole({ type: literal(type), sequence_number: sequenceNumber, ...properties }, meaning),
  ]),
);

export const responseEventSchemas: Readonly<Record<string, Schema>> = {
  ...eventSchemas,
  ResponseErrorEvent: whole(
    { type: literal('error'), sequence_number: sequenceNumber, error: ref('ResponseErrorDetail') },
    'The error; `response.failed` follows.',
  ),
  ResponseErrorDetail: object({ type: text(), code: nullable(text()), message: text(), param: nullable(text()) }, [
    'type',
    'code',
    'message',
    'param',
  ]),
  ResponsesStreamEvent: {
    description:
      'The `data` of one event; its `type` is the name of the event. The stream ends with the literal `data: [DONE]`. Check the last event and the `status` of its response.',
    anyOf: [...Object.keys(eventSchemas), 'ResponseErrorEvent'].map(ref),
  },
};
