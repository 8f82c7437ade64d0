import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../kernel/clock.js';
import { createEngines } from './create-engines.js';
import type { EngineEntry } from './engine-entry.js';
import { engineKinds } from './engine-kinds.js';
import type { Engine } from './engine.js';
import { EnginesFileError } from './engines-file-error.js';
import { readEnginesFile, readEntry, type EnginesFile } from './engines-file.js';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-engines-'));
  file = path.join(directory, 'engines.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const read = async (value: unknown): Promise<EnginesFile | undefined> => {
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readEnginesFile(file, engineKinds);
};
const mistakeIn = async (value: unknown): Promise<string> => {
  const error = await read(value).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EnginesFileError);
  return (error as Error).message;
};
const create = async (entries: readonly EngineEntry[], env: Record<string, string> = {}): Promise<Engine[]> => {
  const context = { env, directory, userAgent: 'test', clock: systemClock, log: () => undefined };
  return (await createEngines(entries, context)).map(({ engine }) => engine);
};
const engineAt = (url: string, more: object = {}): EngineEntry =>
  readEntry({ kind: 'openai-compatible', base_url: url, ...more }, engineKinds, url);

describe('the engines file', () => {
  it('the engines file may be missing', async () => {
    expect(await readEnginesFile(file, engineKinds)).toBeUndefined();
  });

  it.each([
    ['{}', undefined, 0],
    ['{"discover":true}', true, 0],
    ['{"engines":[{"kind":"llamacpp"}],"discover":false}', false, 1],
  ])('the engines file may set discovery: %s', async (text, discover, engines) => {
    const written = await read(text);
    expect([written?.discover, written?.engines.length]).toEqual([discover, engines]);
  });

  it('needs only a kind and an address per engine', async () => {
    const written = await read({
      engines: [
        { kind: 'llamacpp', models_directory: 'models', load: ['qwen3-8b'], slots: 2, context_tokens: 4096 },
        { kind: 'openai-compatible', base_url: 'http://127.0.0.1:8080/v1' },
        {
          kind: 'openai-compatible',
          name: 'big',
          base_url: 'https://gpu.lan',
          slots: 16,
          resident: 'all',
          tools: true,
          inputs: ['text', 'image'],
          routes: ['chat', 'completions'],
        },
      ],
    });
    const engines = await create(written?.engines ?? []);
    expect(engines.map(({ name, slots }) => [name, slots])).toEqual([
      ['llamacpp', 2],
      ['openai@127.0.0.1:8080', 4],
      ['big', 16],
    ]);
  });

  it('says why a node has no more slots than its link carries', async () => {
    const entry = { kind: 'openai-compatible', base_url: 'http://x' };
    expect(await mistakeIn({ engines: [{ ...entry, slots: 1_025 }] })).toMatch(
      /engines\[0\]\.slots: at most 1024, because the link of a node carries no more requests at once/,
    );
  });

  it('reports all its mistakes with their path', async () => {
    const message = await mistakeIn({
      engines: [
        { kind: 'openai-compatible', base_url: 'ftp://x', slots: 0 },
        { kind: 'openai-compatible', base_url: 'http://user:secret@x' },
        { kind: 'llamacpp', load: 'some', model_directory: 'typo' },
        { kind: 'magic' },
        { kind: 'openai-compatible', base_url: 'http://x', api_key_env: 'sk-not-a-name' },
        { kind: 'openai-compatible', base_url: 'http://x', models: { 'qwen3:8b': { tool: true } } },
        'llamacpp',
      ],
    });
    for (const place of [
      'engines[0].base_url',
      'engines[0].slots',
      'engines[1].base_url',
      'engines[2].load',
      'engines[3].kind: an engine needs a "kind": "llamacpp", "ollama"',
      'engines[4].api_key_env',
      'engines[5].models.qwen3:8b: Unrecognized key: "tool"',
      'engines[6]: ',
    ]) {
      expect(message).toContain(place);
    }
    expect(message).toContain('model_directory');
    expect(message).toContain(file);
    expect(message).not.toContain('secret');
  });

  it.each(['', '{', '[]', '{"engine":[]}'])('rejects another document: %j', async (text) => {
    expect(await mistakeIn(text)).toContain(file);
  });

  it('the engines file may name the variable of an API key, which must be set then', async () => {
    const entries = [engineAt('http://x', { api_key_env: 'ENGINE_KEY' })];
    await expect(create(entries)).rejects.toThrow('ENGINE_KEY');
    await create(entries, { ENGINE_KEY: 'k' });
  });

  it('rejects duplicate engine names', async () => {
    await expect(create([engineAt('http://x:1'), engineAt('http://x:1/v1')])).rejects.toThrow('openai@x:1');
  });

  it('the engines file may declare model capabilities for any kind of engine', async () => {
    const written = await read({
      engines: [
        { kind: 'llamacpp', models: { tiny: { tools: false } } },
        { kind: 'openai-compatible', base_url: 'http://x', tools: true, models: { m: { inputs: ['image'] } } },
      ],
    });
    expect(written?.engines.map(({ configured }) => configured)).toEqual([
      { all: {}, models: { tiny: { tools: false } } },
      { all: { tools: true }, models: { m: { inputs: ['image'] } } },
    ]);
  });

  it('gives the address of an engine', () => {
    expect(engineAt('http://127.0.0.1:1234/v1').address?.href).toBe('http://127.0.0.1:1234/v1');
    expect(readEntry({ kind: 'llamacpp' }, engineKinds, 'x').address).toBeUndefined();
  });
});
