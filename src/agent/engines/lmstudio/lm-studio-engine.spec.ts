import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpEngine } from '../../../../test/engines/create-http-engine.js';
import { behavesAsAnEngine } from '../../../../test/engines/engine-behaviour.js';
import {
  ask,
  failureOf,
  greeting,
  listWhen,
  modelsNow,
  Progress,
  stateIn,
  collect,
  weatherTool,
} from '../../../../test/engines/engine-questions.js';
import { FakeLmStudio, type StudioOptions } from '../../../../test/engines/fakes/lm-studio.js';
import type { Engine, EngineFailure } from '../engine.js';
import { lmStudioKind } from './lm-studio-adapter.js';

const RESIDENT = 'qwen/qwen3-8b';
const INSTALLED = 'google/gemma-3-4b';

const engineAt = (url: string, pollMs: number): Promise<Engine> =>
  createHttpEngine(lmStudioKind, { base_url: url, poll_ms: pollMs });

const subjectWith = (api: 'v1' | 'v0') => ({
  kind: 'lmstudio',
  begin: async ({ pollMs }: { readonly pollMs: number }) => {
    const studio = await FakeLmStudio.start({
      models: [{ key: RESIDENT }, { key: INSTALLED }],
      loaded: [RESIDENT],
      api,
    });
    const engine = await engineAt(studio.url, pollMs);
    return {
      engine,
      resident: RESIDENT,
      installed: INSTALLED,
      inferenceCalls: () => studio.inferenceCalls(),
      evict: () => {
        studio.evict(RESIDENT);
        return Promise.resolve();
      },
      quit: () => studio.stop(),
      stop: async () => {
        await engine.stop();
        await studio.stop();
      },
    };
  },
  evicts: true,
  removes: false,
});

behavesAsAnEngine('a fake LM Studio', {
  ...subjectWith('v1'),
  loads: true,
  install: {
    source: 'ibm/granite-4-micro',
    model: 'ibm/granite-4-micro',
    countsBytes: true,
    slowSource: 'endless/model',
    unknown: { source: 'nowhere/model', code: 'unknown_model' },
  },
});
behavesAsAnEngine('a fake LM Studio before 0.4', { ...subjectWith('v0'), loads: false });

describe('LM Studio', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async (options: Partial<StudioOptions> = {}): Promise<{ studio: FakeLmStudio; engine: Engine }> => {
    const studio = await FakeLmStudio.start({ models: [{ key: RESIDENT }], loaded: [RESIDENT], ...options });
    cleanups.push(() => studio.stop());
    const engine = await engineAt(studio.url, 60_000);
    cleanups.push(() => engine.stop());
    await engine.start();
    return { studio, engine };
  };
  const manage = (engine: Engine) => {
    const { load, unload, install } = engine.management;
    if (load === undefined || unload === undefined || install === undefined) throw new Error('an operation is missing');
    return { load, unload, install };
  };
  const refusalOf = async (asked: Promise<unknown>): Promise<EngineFailure['failure']> => {
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return (error as EngineFailure).failure;
  };

  it('reports model capabilities and parallel slots', async () => {
    const { engine } = await begin({ models: [{ key: RESIDENT }, { key: 'nomic/embed', type: 'embedding' }] });
    expect(engine.slots).toBe(6);
    const [model, embeds] = await modelsNow(engine);
    expect(model).toMatchObject({
      display_name: `The ${RESIDENT}`,
      context_length: 4_096,
      tools: true,
      reasoning: true,
      state: 'loaded',
    });
    expect(embeds).toMatchObject({ embedding: true, dialects: [], state: 'installed' });
  });

  it('LM Studio is never asked for a model that was unloaded since the last poll', async () => {
    const { studio, engine } = await begin();
    studio.evict(RESIDENT);
    expect(await refusalOf(ask(engine, RESIDENT, greeting, { stream: true }))).toMatchObject({
      code: 'engine_error',
      status: 503,
    });
    expect(studio.loads).toEqual([]);
    expect(studio.inferenceCalls()).toBe(0);
    await listWhen(engine, (models) => stateIn(models, RESIDENT) === 'installed');
  });

  it('LM Studio is addressed by the instance with the longest context', async () => {
    const { studio, engine } = await begin();
    studio.enter(RESIDENT, 32_768);
    await collect(await ask(engine, RESIDENT, greeting, { stream: true }));
    expect(studio.inferences.map(({ model }) => model)).toEqual([`${RESIDENT}:2`]);
    expect(studio.loads).toEqual([]);
  });

  it('gets a tool choice in its own format', async () => {
    const { studio, engine } = await begin();
    const choice = { type: 'function', function: { name: 'get_weather' } };
    const question = { ...greeting, tools: [weatherTool], tool_choice: choice, max_completion_tokens: 9 };
    await collect(await ask(engine, RESIDENT, question, { stream: false }));
    expect(studio.inferences[0]).toMatchObject({ tools: [weatherTool], tool_choice: 'required', max_tokens: 9 });
  });

  it.each([true, false])('fails with an error sent in a 200 (stream: %s)', async (stream) => {
    const { studio, engine } = await begin();
    const failsWith = async (reported: unknown) => {
      studio.saysInstead = reported;
      const response = ask(engine, RESIDENT, greeting, { stream }).then((asked) => collect(asked));
      return refusalOf(response);
    };
    expect(await failsWith({ error: 'Unexpected endpoint or method. (POST /v1/chat/completions)' })).toMatchObject({
      code: 'engine_error',
      status: 503,
    });
    expect(await failsWith({ error: { message: 'The model has crashed' } })).toMatchObject({
      code: 'engine_error',
      message: 'The model has crashed',
    });
    expect(
      await failsWith({
        error: 'Trying to keep the first 9000 tokens, but the model is loaded with context length 4096',
      }),
    ).toMatchObject({ code: 'engine_rejected_request', status: 400 });
    expect(await failsWith({ error: `Model "${RESIDENT}" not found` })).toMatchObject({ status: 503 });
  });

  describe('loading', () => {
    it('loading does not load a loaded model again', async () => {
      const { studio, engine } = await begin();
      await manage(engine).load(RESIDENT, {}, new Progress().context);
      expect(studio.commands).toEqual([]);
      expect(studio.instanceIds()).toEqual([RESIDENT]);
    });

    it('reloads with the requested context', async () => {
      const { studio, engine } = await begin();
      await manage(engine).load(RESIDENT, { contextTokens: 16_384 }, new Progress().context);
      expect(studio.instanceIds()).toEqual([RESIDENT]);
      expect((await modelsNow(engine))[0]).toMatchObject({ state: 'loaded', context_length: 16_384 });
      await manage(engine).load(RESIDENT, { contextTokens: 16_384 }, new Progress().context);
      expect(studio.loads).toHaveLength(1);
    });

    it('shows the model as loading', async () => {
      const { engine } = await begin({ loaded: [], loadMs: 100 });
      const loading = manage(engine).load(RESIDENT, {}, new Progress().context);
      await listWhen(engine, (models) => stateIn(models, RESIDENT) === 'loading');
      await loading;
      expect(stateIn(await modelsNow(engine), RESIDENT)).toBe('loaded');
    });

    it('fails without enough memory', async () => {
      const { engine } = await begin({ models: [{ key: 'meta/too-large' }], loaded: [] });
      const failure = await failureOf(manage(engine).load('meta/too-large', {}, new Progress().context));
      expect(failure.code).toBe('out_of_memory');
    });
  });

  it('unloads every instance of a model', async () => {
    const { studio, engine } = await begin();
    studio.enter(RESIDENT, 8_192);
    await manage(engine).unload(RESIDENT, new Progress().context);
    expect(studio.instanceIds()).toEqual([]);
    expect(studio.commands.map(({ body }) => body)).toEqual([
      { instance_id: `${RESIDENT}:2` },
      { instance_id: RESIDENT },
    ]);
  });

  describe('installing', () => {
    it('accepts a link with a quantization, and polls its result', async () => {
      const { studio, engine } = await begin();
      const link = 'https://huggingface.co/lmstudio-community/Granite-GGUF@Q4_K_M';
      const progress = new Progress();
      studio.downloadState = 'paused';
      expect(await manage(engine).install(link, progress.context)).toBe('found/granite-gguf');
      expect(studio.commands[0]?.body).toEqual({
        model: 'https://huggingface.co/lmstudio-community/Granite-GGUF',
        quantization: 'Q4_K_M',
      });
      expect(progress.reports.map(({ phase }) => phase)).toContain('paused in LM Studio');
      expect(progress.reports.at(-1)).toEqual({
        phase: 'downloading',
        completedBytes: 2_279_145_003,
        totalBytes: 2_279_145_003,
      });
    });

    it('succeeds at once for an installed model', async () => {
      const { engine } = await begin();
      expect(await manage(engine).install(RESIDENT, new Progress().context)).toBe(RESIDENT);
    });

    it('fails when the download fails or cannot start', async () => {
      const { studio, engine } = await begin();
      const install = (source: string) => failureOf(manage(engine).install(source, new Progress().context));
      expect((await install('http://example.com/model.gguf')).code).toBe('invalid_source');
      expect(studio.commands).toEqual([]);
      studio.downloadState = 'failed';
      expect((await install('some/model')).code).toBe('engine_error');
    });
  });

  it('LM Studio is unsupported before 0.4', async () => {
    const { engine } = await begin({ api: 'v0' });
    const failure = await failureOf(manage(engine).install('some/model', new Progress().context));
    expect(failure.code).toBe('unsupported');
    expect(failure.message).toContain('0.4');
  });
});

it('an entry for LM Studio needs only its kind', () => {
  expect(lmStudioKind.schema.parse({ kind: 'lmstudio' })).toMatchObject({
    base_url: new URL('http://127.0.0.1:1234'),
    poll_ms: 2_000,
  });
});
