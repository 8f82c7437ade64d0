import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../../../kernel/json-object.js';
import { call, calls, chunk, factsOf } from '../../../../test/support/engine/message-events.js';
import { MessageStream } from './from-chat-stream.js';
import type { MessageEvent } from './message.js';

/** What an engine says, before it is cut into chunks. */
type Chunk =
  | { readonly kind: 'content' | 'reasoning_content'; readonly text: string }
  | { readonly kind: 'call'; readonly index: number; readonly name: string; readonly text: string };

/** A block as a client has it when it is closed. */
interface Closed {
  readonly type: string;
  readonly name?: string;
  readonly text: string;
}

const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' });
const argumentsText = fc
  .dictionary(words, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value));
const speech = fc.record({ kind: fc.constantFrom('content' as const, 'reasoning_content' as const), text: words });

/** Speech in any order, then calls; engines that count their calls may mix the fragments of all that are under way. */
const response = fc.record({
  spoken: fc.array(speech, { maxLength: 5 }),
  calls: fc.array(argumentsText, { maxLength: 4 }),
});

/** The text in fragments, cut by the numbers. */
function fragments(text: string, cuts: readonly number[]): string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [...at, text.length].map((end, index) => text.slice(index === 0 ? 0 : at[index - 1], end));
}

/** Queues of fragments, merged in the order that the numbers draw; each queue keeps its own order. */
function interleaved(queues: readonly (readonly Chunk[])[], draws: readonly number[]): Chunk[] {
  const left = queues.map((queue) => [...queue]).filter((queue) => queue.length > 0);
  const merged: Chunk[] = [];
  for (let draw = 0; left.length > 0; draw += 1) {
    const at = (draws[draw % Math.max(1, draws.length)] ?? 0) % left.length;
    const next = left[at]?.shift();
    if (next !== undefined) merged.push(next);
    if (left[at]?.length === 0) left.splice(at, 1);
  }
  return merged;
}

const begun = new Set<number>();
const chunkOf = (part: Chunk): JsonObject => {
  if (part.kind !== 'call') return chunk({ [part.kind]: part.text });
  const first = !begun.has(part.index);
  begun.add(part.index);
  return calls(call(part.index, first ? `c${part.index}` : undefined, first ? part.name : undefined, part.text));
};

function run(chunks: readonly Chunk[]): MessageEvent[] {
  begun.clear();
  const stream = new MessageStream(factsOf());
  return [...chunks.map(chunkOf), chunk({}, 'stop')].flatMap((one) => [...stream.push(one)]).concat(stream.end());
}

/** Reads events as strictly as a client may: one block at a time, indices without a gap, one of each frame around them. */
function read(events: readonly MessageEvent[]): Closed[] {
  expect(events.map(({ type }) => type).filter((type) => type.startsWith('message_'))).toEqual([
    'message_start',
    'message_delta',
    'message_stop',
  ]);
  expect([events[0]?.type, events.at(-2)?.type, events.at(-1)?.type]).toEqual([
    'message_start',
    'message_delta',
    'message_stop',
  ]);
  const closed: Closed[] = [];
  let open: { type: string; name?: string; text: string } | undefined;
  for (const event of events) {
    switch (event.type) {
      case 'content_block_start': {
        expect([open, event.index]).toEqual([undefined, closed.length]);
        const block = event.content_block;
        open = { type: block.type, text: '', ...(block.type === 'tool_use' && { name: block.name }) };
        break;
      }
      case 'content_block_delta':
        expect([open === undefined, event.index]).toEqual([false, closed.length]);
        if (open !== undefined && event.delta.type !== 'signature_delta')
          open.text += String(Object.values(event.delta)[1]);
        break;
      case 'content_block_stop':
        expect(event.index).toBe(closed.length);
        if (open !== undefined) closed.push(open);
        open = undefined;
        break;
      case 'message_start':
      case 'message_delta':
      case 'message_stop':
      case 'ping':
        expect(open).toBeUndefined();
        break;
      default:
        event satisfies never;
    }
  }
  return closed;
}

const spokenBlocks = (spoken: readonly { kind: string; text: string }[]): Closed[] => {
  const blocks: { type: string; text: string }[] = [];
  for (const { kind, text } of spoken) {
    const type = kind === 'content' ? 'text' : 'thinking';
    const last = blocks.at(-1);
    if (last?.type === type) last.text += text;
    else blocks.push({ type, text });
  }
  return blocks;
};

test('chunk boundaries and interleaving do not change what the client reads', () => {
  const cutting = fc.record({
    cuts: fc.array(fc.nat(40), { maxLength: 6 }),
    draws: fc.array(fc.nat(9), { maxLength: 20 }),
  });
  fc.assert(
    fc.property(response, cutting, ({ spoken, calls: made }, { cuts, draws }) => {
      const speechChunks = spoken.flatMap((chunk) =>
        fragments(chunk.text, cuts).map((text): Chunk => ({ kind: chunk.kind, text })),
      );
      // Each call is announced in its turn, whole or without its arguments; the rest of them comes in any order.
      const queues = made.map((text, index) =>
        fragments(text, cuts).map((part): Chunk => ({ kind: 'call', index, name: `f${index}`, text: part })),
      );
      const announced = queues.flatMap(([first]) => (first === undefined ? [] : [first]));
      const rest = interleaved(
        queues.map((queue) => queue.slice(1)),
        draws,
      );
      const expected = [
        ...spokenBlocks(spoken),
        ...made.map((text, index) => ({ type: 'tool_use', name: `f${index}`, text })),
      ];
      const events = run([...speechChunks, ...announced, ...rest]);
      expect(read(events)).toEqual(expected);
      expect(events.at(-2)).toMatchObject({ delta: { stop_reason: made.length > 0 ? 'tool_use' : 'end_turn' } });
    }),
    { numRuns: 150 },
  );
});

test('text between fragments of calls is neither lost, doubled nor reordered', () => {
  fc.assert(
    fc.property(
      fc.array(argumentsText, { minLength: 1, maxLength: 3 }),
      fc.array(words, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(40), { maxLength: 6 }),
      fc.array(fc.nat(9), { maxLength: 20 }),
      (made, spoken, cuts, draws) => {
        const queues = made.map((text, index) =>
          fragments(text, cuts).map((part): Chunk => ({ kind: 'call', index, name: `f${index}`, text: part })),
        );
        const speechQueue = spoken.map((text): Chunk => ({ kind: 'content', text }));
        const blocks = read(run(interleaved([...queues, speechQueue], draws)));
        expect(blocks.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('')).toBe(spoken.join(''));
        const byName = new Map(blocks.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));
        expect(blocks.filter(({ type }) => type === 'tool_use')).toHaveLength(made.length);
        made.forEach((text, index) => {
          expect(byName.get(`f${index}`)).toBe(text);
        });
      },
    ),
    { numRuns: 150 },
  );
});

test('events are well-formed for any engine output', () => {
  const junk = fc.oneof(
    fc.record({
      choices: fc.array(
        fc.record({
          delta: fc.record(
            {
              content: fc.oneof(words, fc.jsonValue()),
              reasoning: fc.oneof(words, fc.jsonValue()),
              tool_calls: fc.array(
                fc.oneof(
                  fc.record({
                    index: fc.oneof(fc.nat(3), fc.constant(undefined)),
                    id: fc.constantFrom('a', 'b', '', null),
                    function: fc.record({
                      name: fc.constantFrom('f', 'g', '', null),
                      arguments: fc.oneof(words, fc.jsonValue()),
                    }),
                  }),
                  fc.jsonValue(),
                ),
                { maxLength: 3 },
              ),
            },
            { requiredKeys: [] },
          ),
          finish_reason: fc.constantFrom(null, 'stop', 'length', 'tool_calls'),
        }),
        { maxLength: 2 },
      ),
      usage: fc.jsonValue(),
    }),
    fc.dictionary(words, fc.jsonValue()),
  );
  fc.assert(
    fc.property(fc.array(junk, { maxLength: 12 }), (chunks) => {
      const stream = new MessageStream(factsOf());
      const blocks = read([...chunks.flatMap((one) => [...stream.push(one)]), ...stream.end()]);
      for (const { type, name } of blocks) expect(type === 'tool_use' ? name : 'x').not.toBe('');
    }),
    { numRuns: 300 },
  );
});
