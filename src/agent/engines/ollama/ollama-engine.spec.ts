import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpEngine } from '../../../../test/engines/create-http-engine.js';
import { behavesAsAnEngine } from '../../../../test/engines/engine-behaviour.js';
import {
  ask,
  failureOf,
  greeting,
  listWhen,
  Progress,
  stateIn,
  story,
  collect,
} from '../../../../test/engines/engine-questions.js';
import { FakeOllama, type OllamaOptions } from '../../../../test/engines/fakes/ollama.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { EngineContext } from '../engine-kind.js';
import type { Engine, EngineFailure } from '../engine.js';
import { ollamaKind } from './ollama-kind.js';

const RESIDENT = 'qwen3:8b';
const INSTALLED = 'llama3.2:latest';

const engineAt = (url: string, entry: object = {}, context: Partial<EngineContext> = {}): Promise<Engine> =>
  createHttpEngine(ollamaKind, { base_url: url, poll_ms: 100, ...entry }, context);

behavesAsAnEngine('a fake Ollama', {
  kind: 'ollama',
  begin: async ({ pollMs }) => {
    const ollama = await FakeOllama.start({
      models: [{ name: RESIDENT }, { name: INSTALLED }],
      resident: [RESIDENT],
    });
    const engine = await engineAt(ollama.url, { poll_ms: pollMs });
    return {
      engine,
      resident: RESIDENT,
      installed: INSTALLED,
      inferenceCalls: () => ollama.inferenceCalls(),
      evict: () => {
        ollama.evict(RESIDENT);
        return Promise.resolve();
      },
      quit: () => ollama.stop(),
      stop: async () => {
        await engine.stop();
        await ollama.stop();
      },
    };
  },
  evicts: true,
  loads: true,
  install: {
    source: 'smollm2',
    model: 'smollm2:latest',
    countsBytes: true,
    slowSource: 'endless:1b',
    unknown: { source: 'nowhere:1b', code: 'unknown_model' },
  },
  removes: true,
});

describe('Ollama', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async (
    options: Partial<OllamaOptions> = {},
    entry: object = {},
  ): Promise<{ ollama: FakeOllama; engine: Engine }> => {
    const ollama = await FakeOllama.start({ models: [{ name: RESIDENT }], resident: [RESIDENT], ...options });
    cleanups.push(() => ollama.stop());
    const engine = await engineAt(ollama.url, { poll_ms: 60_000, ...entry });
    cleanups.push(() => engine.stop());
    await engine.start();
    return { ollama, engine };
  };
  const manage = (engine: Engine) => {
    const { load, unload, install, remove } = engine.management;
    if (load === undefined || unload === undefined || install === undefined || remove === undefined) {
      throw new Error('an operation is missing');
    }
    return { load, unload, install, remove };
  };
  const refusalOf = async (asked: Promise<unknown>): Promise<EngineFailure['failure']> => {
    const error = await asked.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return (error as EngineFailure).failure;
  };
  const models = (engine: Engine) => listWhen(engine, () => true);

  it('Ollama is recognised with its version', async () => {
    const { engine } = await begin();
    expect(engine.facts()).toEqual({ name: expect.stringMatching(/^ollama@127/), kind: 'ollama', version: '0.33.0' });
  });

  it('lists no cloud models, and embedding models without chat', async () => {
    const { engine } = await begin({
      models: [
        { name: RESIDENT },
        { name: 'gpt-oss:120b-cloud' },
        { name: 'far:1b', remoteHost: 'https://ollama.com:443' },
        { name: 'nomic-embed-text:latest', capabilities: ['embedding'] },
      ],
    });
    const list = await models(engine);
    expect(list.map(({ engine_model: name, embedding, dialects }) => [name, embedding, dialects.length])).toEqual([
      [RESIDENT, false, 2],
      ['nomic-embed-text:latest', true, 0],
    ]);
  });

  it('Ollama is asked once per model for details that an old list lacks', async () => {
    const vision = { name: 'llava:7b', capabilities: ['completion', 'vision'], contextTokens: 8_192 };
    const { ollama, engine } = await begin({ models: [{ name: RESIDENT }, vision], showsOnly: true }, { poll_ms: 100 });
    const list = await models(engine);
    expect(list.find(({ engine_model: name }) => name === 'llava:7b')).toMatchObject({
      inputs: ['text', 'image'],
      tools: false,
      context_length: 8_192,
    });
    ollama.evict(RESIDENT);
    await listWhen(engine, (current) => stateIn(current, RESIDENT) === 'installed');
    expect(ollama.asked.filter((route) => route === 'POST /api/show')).toHaveLength(2);
  });

  it('Ollama is never asked for a model that was unloaded since the last poll', async () => {
    const { ollama, engine } = await begin();
    ollama.evict(RESIDENT);
    expect(stateIn(await models(engine), RESIDENT)).toBe('loaded');
    expect(await refusalOf(ask(engine, RESIDENT, greeting, { stream: true }))).toMatchObject({
      code: 'engine_error',
      status: 503,
    });
    expect(ollama.loads).toEqual([]);
    expect(ollama.inferenceCalls()).toBe(0);
    await listWhen(engine, (current) => stateIn(current, RESIDENT) === 'installed');
  });

  it('serves loaded models while it loads another one and does not list them', async () => {
    const { ollama, engine } = await begin({ models: [{ name: RESIDENT }, { name: INSTALLED }], loadMs: 2_500 });
    const loading = manage(engine).load(INSTALLED, {}, new Progress().context);
    await listWhen(engine, (current) => stateIn(current, INSTALLED) === 'loading');
    const response = await collect(await ask(engine, RESIDENT, greeting, { stream: true }));
    expect(response.finishReason).toBe('stop');
    expect(stateIn(await models(engine), RESIDENT)).toBe('loaded');
    await loading;
    expect(stateIn(await models(engine), INSTALLED)).toBe('loaded');
    expect(ollama.loads).toEqual([{ model: INSTALLED, by: 'generate' }]);
  });

  it('ends a truncated stream with an error', async () => {
    const { ollama, engine } = await begin();
    ollama.breaksSilently = true;
    const response = await ask(engine, RESIDENT, greeting, { stream: true });
    expect(await refusalOf(collect(response))).toMatchObject({ code: 'engine_error' });
  });

  it('accepts max_completion_tokens, and reports fields not honoured', async () => {
    const { ollama, engine } = await begin();
    const response = await ask(
      engine,
      RESIDENT,
      { messages: greeting.messages, max_completion_tokens: 5, n: 2, logit_bias: { '1': 1 } },
      { stream: false },
    );
    expect(response.dropped).toEqual(['n', 'logit_bias']);
    expect(ollama.inferences[0]).toMatchObject({ model: RESIDENT, options: { num_predict: 5 } });
  });

  it('Ollama does not answer 4xx for a model that has vanished', async () => {
    const { ollama, engine } = await begin({ models: [], resident: ['ghost:1b'] });
    expect(await refusalOf(ask(engine, 'ghost:1b', greeting, { stream: false }))).toMatchObject({
      code: 'engine_error',
      status: 503,
    });
    expect(ollama.loads).toEqual([]);
  });

  describe('loading', () => {
    it('keeps a model until it is unloaded, unless configured otherwise', async () => {
      const { ollama, engine } = await begin({ resident: [] });
      await manage(engine).load(RESIDENT, {}, new Progress().context);
      expect(ollama.commands.at(-1)).toEqual({
        path: '/api/generate',
        body: { model: RESIDENT, keep_alive: -1, stream: false, shift: false },
      });
    });

    it('uses another route for embedding models', async () => {
      const embeds = { name: 'nomic-embed-text:latest', capabilities: ['embedding'] };
      const { ollama, engine } = await begin({ models: [embeds], resident: [] }, { keep_alive: 600 });
      await manage(engine).load(embeds.name, {}, new Progress().context);
      expect(ollama.loads).toEqual([{ model: embeds.name, by: 'embed' }]);
      await manage(engine).unload(embeds.name, new Progress().context);
      expect(ollama.residentNames()).toEqual([]);
    });

    it('fails without enough memory', async () => {
      const { engine } = await begin({ models: [{ name: 'too-large:405b' }], resident: [] });
      const failure = await failureOf(manage(engine).load('too-large:405b', {}, new Progress().context));
      expect(failure.code).toBe('out_of_memory');
      expect(stateIn(await models(engine), 'too-large:405b')).toBe('installed');
    });
  });

  it('shows a model as unloading until the last answer is complete', async () => {
    const { ollama, engine } = await begin();
    const leaving = new AbortController();
    const response = await ask(engine, RESIDENT, story, { stream: true, signal: leaving.signal });
    const reading = collect(response).catch(() => undefined);
    const unloading = manage(engine).unload(RESIDENT, new Progress().context);
    await listWhen(engine, (current) => stateIn(current, RESIDENT) === 'unloading');
    expect(ollama.residentNames()).toEqual([RESIDENT]);
    leaving.abort(new Error('done'));
    await unloading;
    await reading;
    expect(stateIn(await models(engine), RESIDENT)).toBe('installed');
  });

  describe('installing', () => {
    const install = async (source: string) => {
      const { ollama, engine } = await begin();
      const failure = await failureOf(manage(engine).install(source, new Progress().context));
      return { ollama, failure };
    };

    it.each([
      ['huge:1b', 'disk_full'],
      ['offline:1b', 'network'],
      ['cut:1b', 'engine_unreachable'],
      ['gpt-oss:120b-cloud', 'invalid_source'],
      ['https://example.com/model.gguf', 'invalid_source'],
      ['10.0.0.1:22/namespace/model', 'invalid_source'],
      ['10.0.0.1:22/model', 'invalid_source'],
      ['router.lan/namespace/model:tag', 'invalid_source'],
      ['localhost/namespace/model', 'invalid_source'],
    ])('installing of %s fails as %s', async (source, code) => {
      expect((await install(source)).failure.code).toBe(code);
    });

    it.each(['hf.co/owner/repo:Q4_K_M', 'registry.ollama.ai/library/smollm2', 'namespace/smollm2'])(
      'asks Ollama for %s',
      async (source) => {
        const { ollama, engine } = await begin();
        await manage(engine)
          .install(source, new Progress().context)
          .catch(() => undefined);
        expect(ollama.commands).toMatchObject([{ path: '/api/pull', body: { model: source } }]);
      },
    );

    it('allows a registry in the private network when configured', async () => {
      const { ollama } = await begin();
      const engine = await engineAt(ollama.url, {}, { installSources: 'private' });
      await manage(engine)
        .install('registry.lan:5000/namespace/model', new Progress().context)
        .catch(() => undefined);
      expect(ollama.commands).toMatchObject([{ body: { model: 'registry.lan:5000/namespace/model' } }]);
      await engine.stop();
    });

    it('counts the bytes of all layers, and closes the connection when it is cancelled', async () => {
      const { ollama, engine } = await begin();
      const progress = new Progress();
      await manage(engine).install('smollm2:135m', progress.context);
      expect(progress.reports.at(-1)).toEqual({
        phase: 'success',
        completedBytes: 4_012_000,
        totalBytes: 4_012_000,
      });
      const endless = new Progress();
      const installing = manage(engine).install('endless:1b', endless.context);
      await endless.underWay;
      endless.controller.abort(new Error('cancelled'));
      await expect(installing).rejects.toThrow('cancelled');
      await eventually('Ollama saw the connection close', () => ollama.abandonedPulls === 1);
    });
  });

  it('unloads a model before removing it', async () => {
    const { ollama, engine } = await begin();
    await manage(engine).remove(RESIDENT, new Progress().context);
    expect(ollama.residentNames()).toEqual([]);
    expect(await models(engine)).toEqual([]);
  });
});
