/** Chat chunks of an engine, and the stream that the responses dialect translates them to. */
import { isJsonObject, type JsonObject } from '../../../src/kernel/json-object.js';
import { responsesToChat } from '../../../src/dialects/responses/to-chat/to-chat.js';
import { ResponseStream } from '../../../src/dialects/responses/from-chat/from-chat-stream.js';
import type { ResponseContext } from '../../../src/dialects/responses/translation.js';

export const CREATED_AT_SECONDS = 1_700_000_000;

/** Ids are counted (`msg_1`, `fc_2`, …), and no time passes. */
export function responseContext(request: JsonObject = {}): ResponseContext {
  const body = { model: 'tiny', input: 'Hi', ...request };
  let minted = 0;
  return {
    responseId: 'resp_1',
    model: 'tiny',
    request: body,
    translation: responsesToChat(body, { earlier: [] }).response,
    clock: { monotonicMs: () => 0, wallMs: () => CREATED_AT_SECONDS * 1_000 + 999 },
    mintId: (prefix) => `${prefix}_${String((minted += 1))}`,
  };
}

export const chunk = (delta: JsonObject, finishReason: string | null = null): JsonObject => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: '/models/secret.gguf',
  choices: [{ index: 0, delta, finish_reason: finishReason }],
});

export const usageChunk = (usage: JsonObject): JsonObject => ({ object: 'chat.completion.chunk', choices: [], usage });

export const callChunk = (fragment: { index?: number; id?: string; name?: string; arguments?: unknown }): JsonObject =>
  chunk({
    tool_calls: [
      {
        ...(fragment.index !== undefined && { index: fragment.index }),
        ...(fragment.id !== undefined && { id: fragment.id, type: 'function' }),
        function: {
          ...(fragment.name !== undefined && { name: fragment.name }),
          ...(fragment.arguments !== undefined && { arguments: fragment.arguments }),
        },
      },
    ],
  });

/** The complete stream, as its client reads it. */
export function streamOf(chunks: readonly JsonObject[], context = responseContext()): string {
  const stream = new ResponseStream(context);
  return chunks.map((part) => stream.push(part)).join('') + stream.finish();
}

/** One line per event: its name without `response.`, its position, and its content. */
export function linesOf(events: readonly JsonObject[]): readonly string[] {
  return events.map((event) => {
    const { type, output_index: index, item, response, part } = event;
    const what = (['delta', 'text', 'refusal', 'arguments', 'input'] as const)
      .filter((name) => typeof event[name] === 'string')
      .map((name) => JSON.stringify(event[name]));
    if (isJsonObject(item)) what.push(String(item['type']), typeof item['status'] === 'string' ? item['status'] : '-');
    if (isJsonObject(part)) what.push(String(part['type']), JSON.stringify(part['text'] ?? part['refusal']));
    if (isJsonObject(response)) what.push(String(response['status']));
    return [
      String(type).replace('response.', ''),
      ...(typeof index === 'number' ? [`#${String(index)}`] : []),
      ...what,
    ].join(' ');
  });
}
