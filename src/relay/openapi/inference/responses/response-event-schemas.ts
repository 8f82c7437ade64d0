/**
 * The event grammar of `POST /v1/responses`: the name of each event is its `type`
 * (docs/reference/public-api.md#events-of-a-responses-stream, docs/reference/client-protocols.md#responses).
 */
import { integer, literal, nullable, object, ref, text, whole } from '../schema.js';
import type { Properties, Schema } from '../schema.js';

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
  'response.output_text.delta': ['The next part of the text.', { ...inPart, delta: text() }],
  'response.output_text.done': ['The whole text.', { ...inPart, text: text() }],
  'response.refusal.delta': ['The next part of a refusal.', { ...inPart, delta: text() }],
  'response.refusal.done': ['The whole refusal.', { ...inPart, refusal: text() }],
  'response.function_call_arguments.delta': ['The next part of the arguments.', { ...inItem, delta: text() }],
  'response.function_call_arguments.done': ['The whole arguments.', { ...inItem, arguments: text() }],
  'response.custom_tool_call_input.delta': [
    'The next part of the input of a custom tool.',
    { ...inItem, delta: text() },
  ],
  'response.custom_tool_call_input.done': ['The whole input of a custom tool.', { ...inItem, input: text() }],
  'response.reasoning_summary_part.added': ['A new part of the reasoning.', { ...inSummary, ...summaryPart }],
  'response.reasoning_summary_part.done': ['The part is complete.', { ...inSummary, ...summaryPart }],
  'response.reasoning_summary_text.delta': ['The next part of its text.', { ...inSummary, delta: text() }],
  'response.reasoning_summary_text.done': ['The whole text.', { ...inSummary, text: text() }],
  'response.completed': ['The end: all there is.', snapshot],
  'response.incomplete': ['The end: a limit cut the answer.', snapshot],
  'response.failed': ['The end: it could not finish. The event `error` came before.', snapshot],
};

const sequenceNumber = integer('From 0, one more with each event.');

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
    'What went wrong; `response.failed` follows.',
  ),
  ResponseErrorDetail: object({ type: text(), code: nullable(text()), message: text(), param: nullable(text()) }, [
    'type',
    'code',
    'message',
    'param',
  ]),
  ResponsesStreamEvent: {
    description:
      'The `data` of one event; its `type` is the name of the event. After the last one comes the literal `data: [DONE]`. Check the last event and the `status` of its response.',
    anyOf: [...Object.keys(eventSchemas), 'ResponseErrorEvent'].map(ref),
  },
};
