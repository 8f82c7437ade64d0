/** What the owner has the built-in engine do, with a real model. */
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { Loopback } from '../../../../../test/support/network/loopback.js';
import { ask, enginePackageDirectory, tinyFile } from '../../../../../test/support/engine/tiny-engine.js';
import { offerFile } from '../../../../kernel/offered-files.js';
import { systemClock } from '../../../../kernel/clock.js';
import type { Engine, EngineResponse, EngineModel, EngineObject } from '../../engine.js';
import type { OperationContext, OperationProgress } from '../../engine-management.js';
import { createLlamacppEngine, type LlamacppEngineOptions } from '../llamacpp-engine.js';
import { batchesOf } from '../../../../../test/support/engine/response-batches.js';

jest.setTimeout(60_000);

let directory: string;
let modelsDirectory: string;
let engine: Engine;
let log: string[];
const engines: Engine[] = [];

const begin = async (options: Partial<LlamacppEngineOptions> = {}): Promise<Engine> => {
  engine = createLlamacppEngine({
    enginePackageDirectory,
    modelsDirectory,
    bundledModelsDirectory: path.dirname(tinyFile),
    stateFile: path.join(directory, 'node', 'llamacpp-models.json'),
    load: 'all',
    slots: 2,
    contextTokens: 512,
    // Nothing here may depend on the next look at the folder.
    rescanMs: 3_600_000,
    installSources: 'private',
    clock: systemClock,
    log: (_level, message) => log.push(message),
    ...options,
  });
  engines.push(engine);
  await engine.start();
  return engine;
};

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-operations-'));
  modelsDirectory = path.join(directory, 'models');
  log = [];
});

afterEach(async () => {
  for (const each of engines.splice(0)) await each.stop();
  await rm(directory, { recursive: true });
});

const context = (
  report: (progress: OperationProgress) => void = () => undefined,
  signal = new AbortController().signal,
): OperationContext => ({ signal, report });

const statesIn = (models: readonly EngineModel[]): string =>
  models.map(({ engine_model, state }) => `${engine_model} ${state}`).join(', ');
const states = async (): Promise<string> => statesIn(await firstValueFrom(engine.models$));
const until = (expected: string) =>
  firstValueFrom(engine.models$.pipe(filter((models) => statesIn(models) === expected)));
const model = async (name: string): Promise<EngineModel | undefined> =>
  (await firstValueFrom(engine.models$)).find(({ engine_model }) => engine_model === name);

// Every engine has all four; the contract leaves them out for engines that do not.
const { load, unload, install, remove } = {
  load: (name: string, contextTokens?: number, operation = context()) =>
    engine.management.load?.(name, { contextTokens }, operation),
  unload: (name: string, operation = context()) => engine.management.unload?.(name, operation),
  install: (source: string, operation = context()) => engine.management.install?.(source, operation),
  remove: (name: string, operation = context()) => engine.management.remove?.(name, operation),
};

const run = (name: string, content: string, extra: EngineObject = {}): Promise<EngineResponse> =>
  engine.run({
    route: 'chat',
    engineModel: name,
    body: Buffer.from(JSON.stringify({ model: 'public', temperature: 0, messages: ask(content), ...extra })),
    stream: true,
    signal: new AbortController().signal,
  });

async function chunksOf(response: EngineResponse): Promise<AsyncIterator<readonly EngineObject[]>> {
  if (response.kind !== 'stream') throw new Error('expected a stream');
  return Promise.resolve(batchesOf(response.chunks));
}

async function textOf(chunks: AsyncIterator<readonly EngineObject[]>): Promise<string> {
  let text = '';
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next())
    text += JSON.stringify(next.value);
  return text;
}

const chosenNames = (progress: readonly OperationProgress[]): string[] => [
  ...new Set(progress.map(({ phase }) => phase)),
];

describe('loading and unloading', () => {
  it('refuses more context than the model was trained for, with the number, and leaves the model as it is', async () => {
    await begin();
    await until('tiny loaded');
    await expect(load('tiny', 1_000_000)).rejects.toMatchObject({
      code: 'unsupported',
      message: 'tiny was trained for 131072 tokens of context: load it with at most that, not with 1000000',
    });
    expect(await model('tiny')).toMatchObject({ state: 'loaded', context_length: 512 });
  });

  it('unloads and reloads a model, never by an inference request', async () => {
    await begin();
    await until('tiny loaded');
    await unload('tiny');
    expect(await states()).toBe('tiny installed');
    await expect(run('tiny', 'Hello')).rejects.toMatchObject({ failure: { code: 'engine_error', param: 'model' } });
    expect(await states()).toBe('tiny installed');
    const progress: OperationProgress[] = [];
    await load(
      'tiny',
      undefined,
      context((report) => progress.push(report)),
    );
    expect(await states()).toBe('tiny loaded');
    expect(progress.at(-1)).toEqual({ phase: 'loading', completedBytes: 975_904, totalBytes: 975_904 });
    expect(await textOf(await chunksOf(await run('tiny', 'Hello')))).toContain('finish_reason":"stop');
  });

  it('lets running answers finish, and accepts no new requests meanwhile', async () => {
    await begin();
    await until('tiny loaded');
    const chunks = await chunksOf(await run('tiny', 'Count to 8'));
    await chunks.next();
    const unloading = unload('tiny');
    expect(await states()).toBe('tiny unloading');
    await expect(run('tiny', 'Hello')).rejects.toMatchObject({ failure: { code: 'engine_error' } });
    await expect(load('tiny')).rejects.toMatchObject({ code: 'model_busy' });
    expect(await textOf(chunks)).toContain('finish_reason":"stop');
    await unloading;
    expect(await states()).toBe('tiny installed');
  });

  it('ends an answer that exceeds the grace period, with a reason', async () => {
    await begin({ unloadGraceMs: 20 });
    await until('tiny loaded');
    const chunks = await chunksOf(await run('tiny', 'Count to 20'));
    await chunks.next();
    await unload('tiny');
    await expect(textOf(chunks)).rejects.toMatchObject({
      failure: { code: 'engine_error', message: expect.stringContaining('unloaded') },
    });
    expect(await states()).toBe('tiny installed');
  });

  it('leaves the model loaded when the unloading is cancelled while answers finish', async () => {
    await begin();
    await until('tiny loaded');
    const chunks = await chunksOf(await run('tiny', 'Count to 8'));
    await chunks.next();
    const cancel = new AbortController();
    const unloading = unload('tiny', context(undefined, cancel.signal));
    cancel.abort(new Error('cancelled'));
    await expect(unloading).rejects.toThrow('cancelled');
    expect(await states()).toBe('tiny loaded');
    expect(await textOf(await chunksOf(await run('tiny', 'Hello')))).toContain('finish_reason":"stop');
    await textOf(chunks);
  });

  it('leaves the model unloaded when the loading is cancelled', async () => {
    await begin({ load: [] });
    const cancel = new AbortController();
    const onReport = (): void => {
      cancel.abort(new Error('cancelled'));
    };
    await expect(load('tiny', undefined, context(onReport, cancel.signal))).rejects.toThrow('cancelled');
    expect(await states()).toBe('tiny installed');
    await load('tiny');
    expect(await states()).toBe('tiny loaded');
  });

  it('loads with the requested context, also again', async () => {
    await begin();
    await until('tiny loaded');
    expect(await model('tiny')).toMatchObject({ context_length: 512 });
    await load('tiny', 1_024);
    expect(await model('tiny')).toMatchObject({ state: 'loaded', context_length: 1_024 });
    const seen: string[] = [];
    const watching = engine.models$.subscribe((models) => seen.push(statesIn(models)));
    await load('tiny', 1_024);
    await load('tiny');
    watching.unsubscribe();
    // Loaded as it should be: nothing happens.
    expect(seen).toEqual(['tiny loaded']);
  });

  it('refuses a model beyond the memory, with the figures, and shows it as failed', async () => {
    await begin({ load: [], freeMemoryBytes: () => 200_000_000 });
    await expect(load('tiny', 100_000)).rejects.toMatchObject({
      code: 'out_of_memory',
      message: expect.stringMatching(/975\.\d KB|944\.6 KB.*100000 tokens of context in 2 slots.*; 200\.0 MB are free/),
    });
    expect(await states()).toBe('tiny failed');
    expect(log).toContainEqual(expect.stringContaining('tiny: cannot be loaded: it needs about'));
    await expect(run('tiny', 'Hello')).rejects.toMatchObject({ failure: { code: 'engine_error' } });
  });

  it('refuses unknown models', async () => {
    await begin({ load: [] });
    for (const operation of [load, unload, remove]) {
      await expect(operation('other')).rejects.toMatchObject({ code: 'unknown_model' });
    }
  });

  it('refuses a file that was cut off, instead of a failure to load it', async () => {
    const env = { FERRY_DATA_DIR: path.join(directory, 'data') };
    await begin({ env, load: [] });
    const cut = path.join(directory, 'cut.gguf');
    await copyFile(tinyFile, cut);
    await truncate(cut, 300_000);
    await expect(install(await offerFile(env, cut))).rejects.toMatchObject({
      code: 'invalid_source',
      message: expect.stringMatching(
        /^cut is cut off: it has 300\.0 KB and needs more than [\d.]+ KB\. Download it again$/,
      ),
    });
    expect(await states()).toBe('tiny installed');
  });

  it('explains why nothing works when the engine is not installed', async () => {
    await begin({ enginePackageDirectory: directory });
    await expect(load('tiny')).rejects.toMatchObject({
      code: 'engine_unreachable',
      message: expect.stringContaining('npm ci --ignore-scripts'),
    });
  });
});

describe('models loaded after a restart', () => {
  it('models loaded after a restart are those chosen by operations, and the configured ones otherwise', async () => {
    await mkdir(modelsDirectory);
    await copyFile(tinyFile, path.join(modelsDirectory, 'other.gguf'));
    await begin({ load: ['tiny'] });
    await until('tiny loaded, other installed');
    await load('other', 768);
    await unload('tiny');
    await engine.stop();

    await begin({ load: ['tiny'] });
    await until('tiny installed, other loaded');
    expect(await model('other')).toMatchObject({ context_length: 768 });
    await remove('other');
    await engine.stop();

    // The choice went with the model.
    await copyFile(tinyFile, path.join(modelsDirectory, 'other.gguf'));
    await begin({ load: [] });
    expect(await states()).toBe('tiny installed, other installed');
  });

  it('models loaded after a restart are the configured ones when the choices cannot be read', async () => {
    await mkdir(path.join(directory, 'node'));
    await writeFile(path.join(directory, 'node', 'llamacpp-models.json'), '{"version":1,"models":{"tiny":"yes"}}');
    await begin();
    await until('tiny loaded');
    expect(log).toContainEqual(expect.stringContaining('cannot read the list of loaded models'));
  });
});

describe('installing and removing', () => {
  let server: Loopback;

  beforeEach(async () => {
    server = await Loopback.start((request, response) => {
      if (request.url?.startsWith('/broken') === true)
        response.end(Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(64, 255)]));
      else createReadStream(tinyFile).pipe(response);
    });
  });

  afterEach(async () => {
    await server.close();
  });

  it('adds a model as installed, not loaded', async () => {
    await begin();
    await until('tiny loaded');
    const progress: OperationProgress[] = [];
    const name = await install(
      `${server.url}/Tiny-Copy-Q8_0.gguf`,
      context((report) => progress.push(report)),
    );
    expect(name).toBe('Tiny-Copy-Q8_0');
    expect(chosenNames(progress)).toEqual(['downloading']);
    expect(await states()).toBe('tiny loaded, Tiny-Copy-Q8_0 installed');
    const [tiny, copy] = await firstValueFrom(engine.models$);
    // The same file under another name: the digest is its own, the canonical name is not.
    expect(copy).toMatchObject({ canonical_name: 'tiny-copy', quantization: 'Q8_0', digest: tiny?.digest });
    await load('Tiny-Copy-Q8_0');
    expect(await textOf(await chunksOf(await run('Tiny-Copy-Q8_0', 'Hello')))).toContain('finish_reason":"stop');
  });

  it('unloads a model before it removes its file', async () => {
    await mkdir(modelsDirectory);
    await copyFile(tinyFile, path.join(modelsDirectory, 'other.gguf'));
    await begin();
    await until('tiny loaded, other loaded');
    await remove('other');
    expect(await states()).toBe('tiny loaded');
    expect(await readdir(modelsDirectory)).toEqual([]);
  });

  it('installing and removing does not remove or overwrite the bundled model', async () => {
    await begin();
    await until('tiny loaded');
    await expect(remove('tiny')).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('bundled with Ferry'),
    });
    await expect(install(`${server.url}/tiny.gguf`)).rejects.toMatchObject({ code: 'unsupported' });
    expect(await states()).toBe('tiny loaded');
  });

  it('refuses an unreadable file before it is listed', async () => {
    await begin({ load: [] });
    await expect(install(`${server.url}/broken.gguf`)).rejects.toMatchObject({ code: 'invalid_source' });
    expect(await states()).toBe('tiny installed');
    expect(await readdir(modelsDirectory)).toEqual([]);
  });
});
