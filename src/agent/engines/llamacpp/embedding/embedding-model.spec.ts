/** Embeddings of the built-in engine, by the model that ships with Ferry with a pooling in its file. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ask, askDocument, greeting, Progress } from '../../../../../test/engines/engine-questions.js';
import { writeTinyEmbedder } from '../../../../../test/support/engine/tiny-embedder.js';
import { TinyEngine } from '../../../../../test/support/engine/tiny-engine.js';

jest.setTimeout(60_000);

interface Embeddings {
  readonly data: readonly { readonly index: number; readonly embedding: number[] | string }[];
  readonly usage: { readonly prompt_tokens: number };
}

describe('the built-in engine with a model that embeds', () => {
  let directory: string;
  let tiny: TinyEngine;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-embeds-'));
    await writeTinyEmbedder(path.join(directory, 'embedder.gguf'));
    tiny = await TinyEngine.start({ modelsDirectory: directory, load: ['embedder'] });
  });

  afterAll(async () => {
    await tiny.stop();
    await rm(directory, { recursive: true });
  });

  const embed = async (body: object): Promise<Embeddings> =>
    JSON.parse(await askDocument(tiny.engine, 'embedder', 'embeddings', body)) as Embeddings;
  const vectorOf = async (input: unknown): Promise<readonly number[]> =>
    (await embed({ input })).data[0]?.embedding as number[];

  it('reports it for embeddings only', () => {
    expect(tiny.models).toMatchObject([
      {
        engine_model: 'embedder',
        dialects: [],
        extension_routes: ['embeddings'],
        embedding: true,
        context_length: 2_048,
      },
    ]);
  });

  it('computes vectors of unit length, the same for the same text alone and in a list', async () => {
    const { data, usage } = await embed({ input: ['Hello', 'Count to 8', 'Hello'] });
    const [hello, count, again] = data.map(({ embedding }) => embedding as number[]);
    expect(data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(Math.hypot(...(hello ?? []))).toBeCloseTo(1, 5);
    expect(again).toEqual(hello);
    expect(await vectorOf('Count to 8')).toEqual(count);
    expect(count).not.toEqual(hello);
    expect(usage.prompt_tokens).toBeGreaterThan(3);
  });

  it('gives the bits of its numbers as base64', async () => {
    const vector = await vectorOf('Hello');
    const { data } = await embed({ input: 'Hello', encoding_format: 'base64' });
    const bytes = Buffer.from(String(data[0]?.embedding), 'base64');
    expect(vector.map((_, index) => bytes.readFloatLE(index * 4))).toEqual(vector);
  });

  it('takes tokens', async () => {
    expect(await vectorOf([[65, 66, 67]])).toEqual(await vectorOf([65, 66, 67]));
  });

  it('computes requests at the same time as it would one after the other', async () => {
    const texts = ['one', 'two', 'three', 'four'];
    const together = await Promise.all(texts.map((text) => vectorOf(text)));
    for (const [index, text] of texts.entries()) expect(together[index]).toEqual(await vectorOf(text));
  });

  it.each<[string, object, object]>([
    [
      'a text longer than its context',
      { input: 'word '.repeat(4_000) },
      { context_overflow: { context_tokens: 2_048 } },
    ],
    ['shorter vectors', { input: 'a', dimensions: 8 }, { code: 'unsupported_parameter', param: 'dimensions' }],
  ])('refuses %s', async (_, body, failure) => {
    await expect(embed(body)).rejects.toMatchObject({ failure: { status: 400, ...failure } });
  });

  it('refuses chat, and stops computing a list when its client leaves', async () => {
    await expect(ask(tiny.engine, 'embedder', greeting, { stream: false })).rejects.toMatchObject({
      failure: { code: 'unsupported_capability', status: 400, param: 'model' },
    });
    const leaving = new AbortController();
    const input = Array.from({ length: 2_000 }, (_, index) => `text ${index}`);
    const response = askDocument(tiny.engine, 'embedder', 'embeddings', { input }, leaving.signal);
    leaving.abort(new Error('the client left'));
    await expect(response).rejects.toThrow('the client left');
  });

  it('unloads it, which refuses requests, and loads it again', async () => {
    const { load, unload } = tiny.engine.management;
    const before = await vectorOf('Hello');
    await unload?.('embedder', new Progress().context);
    await expect(vectorOf('Hello')).rejects.toMatchObject({ failure: { code: 'engine_error' } });
    await load?.('embedder', { contextTokens: undefined }, new Progress().context);
    expect(await vectorOf('Hello')).toEqual(before);
  });
});
