/** However an engine cuts its response into chunks, the client reads the same response. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../kernel/json-object.js';
import { assertResponseStream, type ResponseEvent } from '../../../../test/support/client/openresponses-schema.js';
import { responseContext, callChunk, chunk, usageChunk } from '../../../../test/support/engine/responses-responses.js';
import { responseFromChat } from './from-chat.js';
import { ResponseStream } from './from-chat-stream.js';

interface ReceivedResponse {
  readonly reasoning: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly finishReason: string;
}

const words = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.lorem());
const responses: fc.Arbitrary<ReceivedResponse> = fc.record({
  reasoning: words,
  text: words,
  calls: fc.array(
    fc.record({
      name: fc.constantFrom('get_weather', 'get_time', 'f'),
      arguments: fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value)),
    }),
    { maxLength: 4 },
  ),
  finishReason: fc.constantFrom('stop', 'tool_calls', 'length'),
});

/** Random numbers of one run: cuts a text, and takes turns between calls. */
type Draw = (limit: number) => number;

function cut(text: string, draw: Draw): string[] {
  const chunks: string[] = [];
  for (let rest = text; rest !== '';) {
    const end = 1 + draw(rest.length);
    chunks.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return chunks;
}

/** The response in chunks: texts cut anywhere, calls one after the other or interleaved, with and without what engines leave out. */
function inChunks({ reasoning, text, calls, finishReason }: ReceivedResponse, draw: Draw): JsonObject[] {
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...cut(reasoning, draw).map((part) => chunk({ [draw(2) === 0 ? 'reasoning' : 'reasoning_content']: part })),
    ...cut(text, draw).map((part) => chunk({ content: part, tool_calls: draw(2) === 0 ? [] : null })),
  ];
  const repeats = draw(2) === 0;
  const queues = calls.map((call, index) => {
    const identity = { index, id: `c${String(index)}`, name: call.name };
    return cut(call.arguments, draw).map((chunk, part) =>
      callChunk({ ...(part === 0 || repeats ? identity : { index }), arguments: chunk }),
    );
  });
  const interleaves = draw(2) === 0;
  // Calls begin in order, as models write them; what follows may take turns.
  const begun = interleaves ? queues.map((queue) => queue.shift()).filter((first) => first !== undefined) : [];
  chunks.push(...begun);
  for (
    let open = queues.filter((queue) => queue.length > 0);
    open.length > 0;
    open = open.filter((queue) => queue.length > 0)
  ) {
    const next = open[interleaves ? draw(open.length) : 0]?.shift();
    if (next !== undefined) chunks.push(next);
  }
  return [...chunks, chunk({}, finishReason), usageChunk({ prompt_tokens: 5, completion_tokens: 6 })];
}

const runs = fc.tuple(responses, fc.infiniteStream(fc.nat()));
const drawFrom =
  (numbers: fc.Stream<number>): Draw =>
  (limit) =>
    Number(numbers.next().value) % Math.max(1, limit);

function stream(chunks: readonly JsonObject[]): readonly ResponseEvent[] {
  const machine = new ResponseStream(responseContext());
  return assertResponseStream(chunks.map((part) => machine.push(part)).join('') + machine.finish());
}

const outputOf = (events: readonly ResponseEvent[]) => (events.at(-1)?.['response'] as { output: JsonObject[] }).output;

/** Without the ids, which count what came before. */
const contentOf = (items: readonly JsonObject[]): unknown =>
  items.map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'id')));

test('the stream of an answer ends in the same items as the whole answer, valid and numbered without a gap', () => {
  fc.assert(
    fc.property(runs, ([response, numbers]) => {
      const message = {
        role: 'assistant',
        reasoning_content: response.reasoning,
        content: response.text,
        tool_calls: response.calls.map(({ name, arguments: text }, index) => ({
          id: `c${String(index)}`,
          type: 'function',
          function: { name, arguments: text },
        })),
      };
      const whole = responseFromChat(
        { choices: [{ index: 0, message, finish_reason: response.finishReason }] },
        responseContext(),
      );
      const streamed = outputOf(stream(inChunks(response, drawFrom(numbers))));
      expect(contentOf(streamed)).toEqual(contentOf(whole.output.map((item) => ({ ...item }))));
    }),
  );
});

test('deltas are the text and the arguments: nothing lost, doubled or out of order', () => {
  fc.assert(
    fc.property(runs, ([response, numbers]) => {
      const events = stream(inChunks(response, drawFrom(numbers)));
      const joined = (type: string, index?: unknown) =>
        events
          .filter((event) => event.type === type && (index === undefined || event['output_index'] === index))
          .map((event) => event['delta'])
          .join('');
      expect(joined('response.reasoning_summary_text.delta')).toBe(response.reasoning);
      expect(joined('response.output_text.delta')).toBe(response.text);
      const opened = events.filter(
        ({ type, item }) => type === 'response.output_item.added' && (item as JsonObject)['type'] === 'function_call',
      );
      expect(opened.map((event) => joined('response.function_call_arguments.delta', event['output_index']))).toEqual(
        response.calls.map((call) => call.arguments),
      );
    }),
  );
});

test('every item is added once and done once, at the index that it keeps', () => {
  fc.assert(
    fc.property(runs, ([response, numbers]) => {
      const events = stream(inChunks(response, drawFrom(numbers)));
      const of = (type: string) =>
        events.filter((event) => event.type === type).map((event) => Number(event['output_index']));
      const indices = outputOf(events).map((_, index) => index);
      expect(of('response.output_item.added')).toEqual(indices);
      expect(of('response.output_item.done').sort((a, b) => a - b)).toEqual(indices);
      const done = events.filter(({ type }) => type === 'response.output_item.done');
      for (const event of done) expect(event['item']).toEqual(outputOf(events)[Number(event['output_index'])]);
    }),
  );
});

test('malformed chunks leave the stream valid or end it with a reportable error', () => {
  const junk = fc.oneof(
    fc.jsonValue().map((delta) => ({ choices: [{ index: 0, delta }] })),
    fc.jsonValue().map((choices) => ({ choices })),
    fc.record({ choices: fc.constant([]), usage: fc.jsonValue() }),
    fc
      .array(fc.record({ index: fc.jsonValue(), id: fc.jsonValue(), function: fc.jsonValue() }))
      .map((calls) => chunk({ tool_calls: calls })),
  );
  fc.assert(
    fc.property(fc.array(junk), (chunks) => {
      expect(stream([...chunks, chunk({}, 'length')]).length).toBeGreaterThan(2);
    }),
  );
});
