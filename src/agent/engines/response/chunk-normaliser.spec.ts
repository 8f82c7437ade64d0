import { describe, expect, it } from '@jest/globals';
import type { EngineObject } from '../engine.js';
import { ChunkNormaliser } from './chunk-normaliser.js';

const request = (body: object = {}): { route: 'chat'; body: Buffer } => ({
  route: 'chat',
  body: Buffer.from(JSON.stringify(body)),
});
const chunk = (delta: object, finish: unknown = null, index = 0, more: object = {}): EngineObject => ({
  id: 'x',
  created: 1,
  choices: [{ index, delta, finish_reason: finish }],
  ...more,
});
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const usageChunk = (): EngineObject => ({ id: 'x', created: 1, choices: [], usage });

function pass(chunks: readonly EngineObject[], body = {}): EngineObject[] {
  const normaliser = new ChunkNormaliser(request(body));
  const out: EngineObject[] = [];
  for (const one of chunks) normaliser.take(one, false, out);
  normaliser.end(out);
  return out;
}
const endsOf = (chunks: readonly EngineObject[]): unknown[] =>
  chunks.flatMap(({ choices }) => (choices as { finish_reason: unknown }[]).map((choice) => choice.finish_reason));

describe('chunks of an engine', () => {
  it('well-formed chunks are the same objects, unchanged, in their order', () => {
    const chunks = [
      chunk({ role: 'assistant', content: '' }),
      chunk({ content: 'a' }),
      chunk({}, 'stop'),
      usageChunk(),
    ];
    const before = structuredClone(chunks);
    const after = pass(chunks);
    expect(after).toEqual(before);
    after.forEach((one, index) => {
      expect(one).toBe(chunks[index]);
    });
  });

  it('chunks of an engine wait only at the end of a choice, until the next chunk', () => {
    const normaliser = new ChunkNormaliser(request());
    const out: EngineObject[] = [];
    normaliser.take(chunk({ content: 'a' }), false, out);
    normaliser.take(chunk({}, 'stop'), false, out);
    expect([out.length, normaliser.complete, normaliser.holding]).toEqual([1, true, true]);
    normaliser.take(usageChunk(), false, out);
    expect([out.length, normaliser.holding]).toEqual([3, false]);
  });

  it.each<[string, EngineObject[], unknown[]]>([
    ['in every chunk', [chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }, 'stop')], [null, 'stop']],
    ['twice', [chunk({ content: 'a' }), chunk({}, 'stop'), chunk({}, 'stop')], [null, 'stop']],
    ['before the text', [chunk({}, 'stop'), chunk({ content: 'a' })], [null, 'stop']],
    ['and again after usage', [chunk({ content: 'a' }, 'stop'), usageChunk(), chunk({}, 'stop')], ['stop']],
    ['as stop and as length', [chunk({ content: 'a' }, 'stop'), chunk({}, 'length')], ['length']],
    ['as length and as stop', [chunk({ content: 'a' }, 'length'), chunk({}, 'stop')], ['length']],
  ])('chunks of an engine that name their end %s name it once', (_what, chunks, expected) => {
    expect(endsOf(pass(chunks))).toEqual(expected);
  });

  it('a chunk with usage beside an empty delta behind the end keeps the usage', () => {
    const after = pass([chunk({ content: 'a' }, 'stop'), chunk({}, null, 0, { usage })]);
    expect(after.map(({ choices, usage: figures }) => [(choices as unknown[]).length, figures])).toEqual([
      [1, undefined],
      [0, usage],
    ]);
  });

  it('several choices end one by one', () => {
    const chunks = [
      chunk({ content: 'a' }),
      chunk({ content: 'b' }, 'stop', 1),
      chunk({ content: 'c' }),
      chunk({}, 'stop'),
    ];
    expect(endsOf(pass(chunks, { n: 2 }))).toEqual([null, 'stop', null, 'stop']);
    const together = { ...chunk({}), choices: [0, 1].map((index) => ({ index, delta: {}, finish_reason: 'STOP' })) };
    expect(endsOf(pass([chunk({ content: 'a' }), chunk({ content: 'b' }, null, 1), together], { n: 2 }))).toEqual([
      null,
      null,
      'stop',
      'stop',
    ]);
  });

  it('chunks of an engine whose only choice is not the first are the first, unless several were asked for', () => {
    const indexOf = (body: object): unknown =>
      (pass([chunk({ content: 'a' }, 'stop', 1)], body)[0]!['choices'] as EngineObject[])[0]!['index'];
    expect([indexOf({}), indexOf({ n: 1 }), indexOf({ n: 2 })]).toEqual([0, 0, 1]);
  });

  it('chunks of an engine without an index are of the choice that has begun', () => {
    const unnamed = {
      ...chunk({ content: 'b' }, 'stop'),
      choices: [{ delta: { content: 'b' }, finish_reason: 'stop' }],
    };
    const out = pass([chunk({ content: 'a' }, null, 1), unnamed]);
    expect(out.map(({ choices }) => (choices as EngineObject[])[0]!['index'])).toEqual([0, 0]);
  });

  it('chunks of an engine whose only choice is no list have a list of it', () => {
    const [only] = chunk({ content: 'a' })['choices'] as EngineObject[];
    expect(pass([{ ...chunk({}), choices: only }])[0]).toMatchObject({ choices: [{ delta: { content: 'a' } }] });
  });

  it('chunks of an engine have no half surrogate pair beside the choices either', () => {
    const normaliser = new ChunkNormaliser({ route: 'chat', body: Buffer.from('{}') });
    const out: EngineObject[] = [];
    normaliser.take({ ...chunk({ content: 'a' }), id: 'x\ud83d', system_fingerprint: '\udc00' }, true, out);
    expect(out[0]).toMatchObject({ id: 'x\uFFFD', system_fingerprint: '\uFFFD' });
  });

  it('several choices end once each, even where half a pair was repaired', () => {
    const normaliser = new ChunkNormaliser(request({ n: 2 }));
    const out: EngineObject[] = [];
    const together = (first: object, second: object): EngineObject => ({ ...chunk({}), choices: [first, second] });
    const ended = { index: 0, delta: {}, finish_reason: 'stop', logprobs: { content: [{ token: '\ud83d' }] } };
    normaliser.take(together(ended, { index: 1, delta: { content: 'a' }, finish_reason: null }), true, out);
    normaliser.take(together(ended, { index: 1, delta: {}, finish_reason: 'stop' }), true, out);
    normaliser.end(out);
    expect(endsOf(out)).toEqual(['stop', null, null, 'stop']);
    expect(out[1]).toMatchObject({ choices: [{ logprobs: { content: [{ token: '\uFFFD' }] } }, {}] });
  });

  it('chunks of an engine are bounded in their choices', () => {
    const normaliser = new ChunkNormaliser(request({ n: 1_000 }));
    expect(() => {
      for (let index = 0; index < 1_000; index += 1) normaliser.take(chunk({ content: 'a' }, null, index), false, []);
    }).toThrow('more than 128 choices');
  });

  it('chunks of an engine lose no text when the stream fails behind their end', () => {
    const normaliser = new ChunkNormaliser(request());
    const out: EngineObject[] = [];
    normaliser.take(chunk({ content: 'a' }, 'stop'), false, out);
    normaliser.abandon(out);
    expect(out).toMatchObject([{ choices: [{ delta: { content: 'a' }, finish_reason: null }] }]);
  });
});

describe('a chunk that may be recognised by its bytes', () => {
  const repeatable = (...chunks: EngineObject[]): boolean[] => {
    const normaliser = new ChunkNormaliser(request());
    return chunks.map((one) => normaliser.take(one, JSON.stringify(one).includes(String.raw`\ud`), []));
  };

  it('a chunk that may be recognised by its bytes is one whose meaning depends on no other', () => {
    expect(repeatable(chunk({ content: 'a' }), chunk({ content: 'b' }))).toEqual([true, true]);
  });

  it.each<[string, EngineObject]>([
    ['a call', chunk({ content: 'a', tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] })],
    ['an end', chunk({ content: 'a' }, 'stop')],
    ['half a character', chunk({ content: 'a\ud83d' })],
    ['several choices', { choices: [0, 1].map((index) => ({ index, delta: { content: 'a' } })) }],
    ['usage alone', usageChunk()],
  ])('a chunk that may be recognised by its bytes is none with %s', (_what, one) => {
    expect(repeatable(one)).toEqual([false]);
  });

  it('a chunk that may be recognised by its bytes is none behind half a character or an end', () => {
    expect(repeatable(chunk({ content: 'a\ud83d' }), chunk({ content: 'b' }), chunk({ content: 'c' }))).toEqual([
      false,
      false,
      true,
    ]);
    expect(repeatable(chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }))).toEqual([false, false]);
  });
});
