import { describe, expect, it } from '@jest/globals';
import { chunkSource, type TextResponse } from '../engine.js';
import { PromptSize } from './prompt-size.js';

const sizeOf = (body: object, context_length: number | null = 1_000) =>
  PromptSize.ofDoubtful(Buffer.from(JSON.stringify(body)), { context_length });
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const whole = (prompt_tokens: number): TextResponse => ({
  kind: 'whole',
  object: { choices: [], usage: { prompt_tokens } },
});
const overflow = { failure: { status: 400, context_overflow: { context_tokens: 1_000 } } };

describe('the size of a prompt', () => {
  it.each([
    ['is short', user('Hello')],
    ['fits by the usual length of a token', user('word '.repeat(700))],
    [
      'is long only because of its media',
      user([{ type: 'image_url', image_url: { url: `data:,${'x'.repeat(50_000)}` } }]),
    ],
    ['is long only because of its indentation', user(' '.repeat(50_000))],
    ['is no request', ['x'.repeat(50_000)]],
  ])('the size of a prompt is not checked where it %s', (_, body) => {
    expect(sizeOf(body)).toBeUndefined();
  });

  it('the size of a prompt is not checked without a known context', () => {
    expect(sizeOf(user('word '.repeat(50_000)), null)).toBeUndefined();
    expect(PromptSize.ofDoubtful(Buffer.from('{}'), undefined)).toBeUndefined();
  });

  it('exceeds the context when it has more characters than tokens can have', () => {
    const hopeless = sizeOf({ prompt: 'word '.repeat(1_300) });
    expect(() => hopeless?.refuseUnplaceable()).toThrow(/context of 1000 tokens/);
    const doubtful = sizeOf(user('word '.repeat(1_000)));
    expect(doubtful).toBeDefined();
    doubtful?.refuseUnplaceable();
  });

  it('counts the descriptions of tools', () => {
    const tools = [{ type: 'function', function: { name: 'f', description: 'word '.repeat(1_300) } }];
    expect(() => sizeOf({ ...user('Hello'), tools })?.refuseUnplaceable()).toThrow(/about \d+ tokens/);
  });

  it('the size of a prompt is checked against the prompt tokens that the engine reports', () => {
    const doubtful = sizeOf(user('word '.repeat(1_000)));
    expect(doubtful?.check(whole(990))).toEqual(whole(990));
    expect(() => doubtful?.check(whole(500))).toThrow(/context of 1000 tokens/);
    // It has read more than the list of models says that it can: the list is out of date.
    expect(doubtful?.check(whole(1_250))).toEqual(whole(1_250));
    const hopeless = sizeOf(user('word '.repeat(1_300)));
    expect(() => hopeless?.check(whole(1_000))).toThrow(/context of 1000 tokens/);
  });

  it('fails a stream when the usage arrives', async () => {
    const batches = [[{ choices: [{ delta: { content: 'x' } }] }], [{ choices: [], usage: { prompt_tokens: 500 } }]];
    const chunks = chunkSource(
      (async function* () {
        yield* await Promise.resolve(batches);
      })(),
    );
    const checked = sizeOf(user('word '.repeat(1_000)))?.check({ kind: 'stream', chunks });
    if (checked?.kind !== 'stream') throw new Error('not a stream');
    const seen: unknown[] = [];
    const piped = checked.chunks.pipe((batch) => {
      seen.push(...batch);
      return undefined;
    });
    await expect(piped).rejects.toMatchObject(overflow);
    expect(seen).toHaveLength(1);
  });
});
