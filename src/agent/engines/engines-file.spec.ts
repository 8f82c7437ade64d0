import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../kernel/clock.js';
import { createEngines } from './create-engines.js';
import { defaultEngines, engineAt, EnginesFileError, readEnginesFile, type EngineEntry } from './engines-file.js';

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-engines-'));
  file = path.join(directory, 'engines.json');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const read = async (value: unknown): Promise<readonly EngineEntry[] | undefined> => {
  await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  return readEnginesFile(file);
};
const mistakeIn = async (value: unknown): Promise<string> => {
  const error = await read(value).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EnginesFileError);
  return (error as Error).message;
};
const create = (entries: readonly EngineEntry[], env: Record<string, string> = {}) =>
  createEngines(entries, { env, directory, userAgent: 'test', clock: systemClock, log: () => undefined });

describe('the engines file', () => {
  it('may be missing: then there is the built-in engine with all its models', async () => {
    expect(await readEnginesFile(file)).toBeUndefined();
    expect((await create(defaultEngines)).map(({ name, kind, slots }) => [name, kind, slots])).toEqual([
      ['llamacpp', 'llamacpp', 4],
    ]);
  });

  it('names engines with as little as a kind and an address', async () => {
    const entries = await read({
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
    const engines = await create(entries ?? []);
    expect(engines.map(({ name, slots }) => [name, slots])).toEqual([
      ['llamacpp', 2],
      ['openai@127.0.0.1:8080', 4],
      ['big', 16],
    ]);
  });

  it('is told all its mistakes with their place', async () => {
    const message = await mistakeIn({
      engines: [
        { kind: 'openai-compatible', base_url: 'ftp://x', slots: 0 },
        { kind: 'openai-compatible', base_url: 'http://user:secret@x' },
        { kind: 'llamacpp', load: 'some', model_directory: 'typo' },
        { kind: 'vllm' },
        { kind: 'openai-compatible', base_url: 'http://x', api_key_env: 'sk-not-a-name' },
      ],
    });
    for (const place of [
      'engines[0].base_url',
      'engines[0].slots',
      'engines[1].base_url',
      'engines[2].load',
      'engines[3]',
      'engines[4].api_key_env',
    ]) {
      expect(message).toContain(place);
    }
    expect(message).toContain('model_directory');
    expect(message).toContain(file);
    expect(message).not.toContain('secret');
  });

  it.each(['', '{', '[]', '{"engine":[]}'])('says so when it is something else: %j', async (text) => {
    expect(await mistakeIn(text)).toContain(file);
  });

  it('may name the variable of an API key, which must be set then', async () => {
    const entries = [{ ...engineAt('http://x'), api_key_env: 'ENGINE_KEY' }] as EngineEntry[];
    await expect(create(entries)).rejects.toThrow('ENGINE_KEY');
    await create(entries, { ENGINE_KEY: 'k' });
  });

  it('cannot name two engines alike', async () => {
    await expect(create([engineAt('http://x:1'), engineAt('http://x:1/v1')])).rejects.toThrow('openai@x:1');
  });

  it('can be replaced by addresses', () => {
    expect(engineAt('http://127.0.0.1:1234')).toMatchObject({ kind: 'openai-compatible', slots: 4, poll_ms: 5_000 });
    expect(() => engineAt('127.0.0.1:1234')).toThrow(EnginesFileError);
  });
});
