/** Answers of `POST /v1/messages`, whole and as events (docs/reference/client-protocols.md#messages). */
import { anyObject, integer, list, literal, nullable, object, oneOfTexts, ref, text, whole } from '../../schema.js';
import type { Properties, Schema } from '../../schema.js';

const stopReason = nullable(
  oneOfTexts(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'refusal'], 'Null until the response has ended.'),
);

const outcome: Properties = { stop_reason: stopReason, stop_sequence: nullable(text()) };

/** The event's name is its `type`. */
const event = (type: string, properties: Properties = {}): Schema => whole({ type: literal(type), ...properties });

const index = integer('Which content block.');

export const messagesResponseSchemas: Readonly<Record<string, Schema>> = {
  Message: object(
    {
      id: text('`msg_…`'),
      type: literal('message'),
      role: literal('assistant'),
      model: text('The id or selector in the request.'),
      content: list(ref('MessageContentBlock')),
      ...outcome,
      usage: ref('MessagesUsage'),
    },
    ['id', 'type', 'role', 'model', 'content', 'stop_reason', 'stop_sequence', 'usage'],
  ),
  MessageContentBlock: {
    anyOf: [
      whole({ type: literal('text'), text: text() }),
      whole({ type: literal('thinking'), thinking: text(), signature: text() }),
      whole({
        type: literal('tool_use'),
        id: text(),
        name: text(),
        input: anyObject('The arguments.'),
        caller: object({ type: literal('direct') }, ['type']),
      }),
    ],
  },
  MessagesUsage: object(
    {
      input_tokens: integer('Without cached tokens.'),
      output_tokens: integer(),
      cache_creation_input_tokens: nullable(integer()),
      cache_read_input_tokens: nullable(integer()),
    },
    ['input_tokens', 'output_tokens'],
    'Estimated if the engine does not report token counts.',
  ),
  MessageStartEvent: event('message_start', { message: ref('Message') }),
  MessagePingEvent: event('ping'),
  ContentBlockStartEvent: event('content_block_start', { index, content_block: ref('MessageContentBlock') }),
  ContentBlockDeltaEvent: event('content_block_delta', { index, delta: ref('MessageDelta') }),
  MessageDelta: {
    anyOf: [
      whole({ type: literal('text_delta'), text: text() }),
      whole({ type: literal('thinking_delta'), thinking: text() }),
      whole({ type: literal('signature_delta'), signature: text() }),
      whole({ type: literal('input_json_delta'), partial_json: text('Next fragment of the arguments.') }),
    ],
  },
  ContentBlockStopEvent: event('content_block_stop', { index }),
  MessageDeltaEvent: event('message_delta', {
    delta: object(outcome, ['stop_reason', 'stop_sequence']),
    usage: object({ input_tokens: nullable(integer()), output_tokens: integer('Of the whole response.') }, [
      'output_tokens',
    ]),
  }),
  MessageStopEvent: event('message_stop'),
  MessagesStreamEvent: {
    description:
      'The `data` of one event; its `type` is the name of the event. A failed stream ends with `error`, without `message_stop`.',
    anyOf: [
      ref('MessageStartEvent'),
      ref('MessagePingEvent'),
      ref('ContentBlockStartEvent'),
      ref('ContentBlockDeltaEvent'),
      ref('ContentBlockStopEvent'),
      ref('MessageDeltaEvent'),
      ref('MessageStopEvent'),
      ref('AnthropicError'),
    ],
  },
};
