/** Streams of the messages dialect in a form for assertions. */
import { expect } from '@jest/globals';
import type { JsonObject } from '../../../src/kernel/json-object.js';
import { MessageStream } from '../../../src/dialects/messages/from-chat/from-chat-stream.js';
import type { ResponseFacts, MessageEvent } from '../../../src/dialects/messages/from-chat/message.js';

/** Counting ids; everything else as the test needs it. */
export const factsOf = (fields: Partial<ResponseFacts> = {}): ResponseFacts => {
  let made = 0;
  return {
    messageId: 'msg_1',
    model: 'public',
    inputTokensEstimate: 7,
    serialCalls: false,
    stopSequences: ['END'],
    newCallId: () => `toolu_${(made += 1)}`,
    ...fields,
  };
};

/** What every usage has for the types of the SDKs, and Ferry cannot tell. */
export const untoldUsage = {
  cache_creation: null,
  fallback_credit: null,
  inference_geo: null,
  iterations: null,
  server_tool_use: null,
  service_tier: null,
  speed: null,
};

/** A chunk of an engine with the fields that all engines send. */
export const chunk = (delta: object, finish: string | null = null, extra: object = {}): JsonObject => ({
  model: '/home/me/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finish, ...extra }],
});
export const call = (
  index: number | undefined,
  id: string | undefined,
  name: string | undefined,
  text: unknown,
): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: text },
});
export const calls = (...fragments: object[]): JsonObject => chunk({ tool_calls: fragments });
/** One line per event. */
export function line(event: MessageEvent): string {
  switch (event.type) {
    case 'message_start':
    case 'ping':
    case 'message_stop':
      return event.type;
    case 'content_block_start': {
      const block = event.content_block;
      return `start ${event.index} ${block.type}${block.type === 'tool_use' ? ` ${block.id} ${block.name}` : ''}`;
    }
    case 'content_block_delta':
      return `delta ${event.index} ${Object.values(event.delta).join(' ')}`;
    case 'content_block_stop':
      return `stop ${event.index}`;
    case 'message_delta':
      return `end ${event.delta.stop_reason ?? 'null'}${event.delta.stop_sequence === null ? '' : ` ${event.delta.stop_sequence}`}`;
    default:
      return event satisfies never;
  }
}

/** All events except those that start and end every response. */
export function blocks(chunks: readonly JsonObject[], fields: Partial<ResponseFacts> = {}): string[] {
  const stream = new MessageStream(factsOf(fields));
  const lines = [...chunks.flatMap((one) => stream.push(one)), ...stream.end()].map(line);
  expect(lines.slice(0, 2)).toEqual(['message_start', 'ping']);
  expect(lines.at(-1)).toBe('message_stop');
  return lines.slice(2, -1);
}
