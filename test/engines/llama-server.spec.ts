import { afterEach, describe, expect, it } from '@jest/globals';
import { llamaServerKind } from '../../src/agent/engines/llama-server/llama-server-adapter.js';
import type { Engine } from '../../src/agent/engines/engine.js';
import { createHttpEngine } from './create-http-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { ask, collect, failureOf, greeting, listWhen, modelsNow, Progress, stateIn } from './engine-questions.js';
import { LlamaServerRouter, LlamaServerSingle } from './fakes/llama-server.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('llama-server with one model (recorded)', {
  kind: 'llama-server',
  begin: async (options) => {
    const { server } = await LlamaServerSingle.start();
    return underTest(llamaServerKind, server, options, { resident: 'tiny' });
  },
  evicts: false,
  loads: false,
  removes: false,
});

behavesAsAnEngine('llama-server in router mode (recorded; the download documented, not recorded)', {
  kind: 'llama-server',
  begin: async (options) => {
    const router = await LlamaServerRouter.start();
    return underTest(llamaServerKind, router.server, options, {
      resident: 'relay-tiny',
      installed: 'random-64',
      evict: () => router.set('relay-tiny', 'unloaded'),
    });
  },
  evicts: true,
  loads: true,
  install: {
    source: 'hf:org/fresh-GGUF:Q4_K_M',
    model: 'org/fresh-GGUF:Q4_K_M',
    countsBytes: true,
    slowSource: 'org/slow-GGUF',
    unknown: { source: 'org/nope:Q4', code: 'network' },
  },
  removes: true,
});

describe('llama-server specifics', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const engineAt = async (server: { url: string; stop: () => Promise<void> }, pollMs = 100): Promise<Engine> => {
    const engine = await createHttpEngine(llamaServerKind, { base_url: server.url, poll_ms: pollMs });
    cleanups.push(
      () => server.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return engine;
  };
  const routerAndEngine = async (): Promise<{ router: LlamaServerRouter; engine: Engine }> => {
    const router = await LlamaServerRouter.start();
    return { router, engine: await engineAt(router.server) };
  };

  it('reads slots, context length, inputs and tools from /props', async () => {
    const engine = await engineAt((await LlamaServerSingle.start()).server);
    expect(engine.slots).toBe(2);
    expect(engine.facts()).toMatchObject({ kind: 'llama-server', version: 'b0-unknown' });
    expect(await modelsNow(engine)).toMatchObject([
      {
        engine_model: 'tiny',
        context_length: 4096,
        inputs: ['text'],
        tools: true,
        size_bytes: 944640,
        state: 'loaded',
      },
    ]);
  });

  it('llama-server specifics is loading while it reads its weights, and not loaded while it sleeps', async () => {
    const single = await LlamaServerSingle.start();
    single.condition = 'loading';
    const engine = await engineAt(single.server);
    expect(stateIn(await modelsNow(engine), 'tiny')).toBe('loading');
    single.condition = 'ready';
    await listWhen(engine, (models) => stateIn(models, 'tiny') === 'loaded');
    single.condition = 'sleeping';
    await listWhen(engine, (models) => stateIn(models, 'tiny') === 'installed');
  });

  it('llama-server specifics is woken by a load while it sleeps, without an inference', async () => {
    const single = await LlamaServerSingle.start();
    single.condition = 'sleeping';
    const engine = await engineAt(single.server, 60_000);
    expect(stateIn(await modelsNow(engine), 'tiny')).toBe('installed');
    await engine.management.load?.('tiny', {}, new Progress().context);
    expect(stateIn(await modelsNow(engine), 'tiny')).toBe('loaded');
    expect(single.server.inferenceCalls()).toBe(0);
    const again = engine.management.load?.('tiny', {}, new Progress().context) ?? Promise.resolve();
    expect((await failureOf(again)).code).toBe('unsupported');
  });

  it('llama-server specifics does not get a malformed tool, which it would answer as its own failure', async () => {
    const { server } = await LlamaServerSingle.start();
    const engine = await engineAt(server);
    const tools = [{ type: 'function' }];
    const direct = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ tools }),
    });
    expect(direct.status).toBe(500);
    for (let request = 0; request < 12; request += 1) {
      await expect(ask(engine, 'tiny', { ...greeting, tools }, { stream: true })).rejects.toMatchObject({
        failure: { code: 'invalid_request', status: 400, param: 'tools[0].function' },
      });
    }
    expect(server.inferenceCalls()).toBe(1);
  });

  it.each([true, false])('counts the tokens of all choices (stream: %s)', async (stream) => {
    const engine = await engineAt((await LlamaServerSingle.start()).server);
    const response = await ask(engine, 'tiny', { ...greeting, n: 2 }, { stream });
    if (response.kind === 'whole') {
      const message = { role: 'assistant', content: 'The result is 11.' };
      expect(response.object).toMatchObject({
        object: 'chat.completion',
        choices: [
          { index: 0, message, finish_reason: 'stop' },
          { index: 1, message, finish_reason: 'stop' },
        ],
      });
    }
    const { usage } = await collect(response);
    expect(usage).toEqual({ prompt_tokens: 12, completion_tokens: 15, total_tokens: 27 });
  });

  it('llama-server specifics is loading while it answers 503 to everything, and is polled until it is ready', async () => {
    const single = await LlamaServerSingle.start();
    single.condition = 'loading';
    single.listsWhileLoading = false;
    const engine = await engineAt(single.server, 60_000);
    expect([engine.condition, await modelsNow(engine)]).toEqual([{ is: 'loading' }, []]);
    single.condition = 'ready';
    await listWhen(engine, (models) => stateIn(models, 'tiny') === 'loaded');
    expect(engine.condition).toEqual({ is: 'answering' });
  });

  it('keeps the identity of a model when it is loaded, and its traits when it is unloaded', async () => {
    const { router, engine } = await routerAndEngine();
    const before = (await modelsNow(engine)).find(({ engine_model: id }) => id === 'relay-tiny');
    expect(before).toMatchObject({ tools: true, context_length: 4096 });
    router.set('relay-tiny', 'unloaded');
    const after = (await listWhen(engine, (models) => stateIn(models, 'relay-tiny') === 'installed')).find(
      ({ engine_model: id }) => id === 'relay-tiny',
    );
    expect(after).toMatchObject({
      tools: true,
      canonical_name: 'relay-tiny',
      quantization: before?.quantization ?? null,
    });
  });

  it('llama-server specifics does not report a sleeping model of a router as loaded', async () => {
    const { router, engine } = await routerAndEngine();
    router.set('relay-tiny', 'sleeping');
    await listWhen(engine, (models) => stateIn(models, 'relay-tiny') === 'installed');
  });

  it('never makes a router load on demand, even when the model has just been unloaded', async () => {
    const { router, engine } = await routerAndEngine();
    router.set('relay-tiny', 'unloaded');
    await expect(ask(engine, 'relay-tiny', greeting, { stream: true })).rejects.toMatchObject({
      failure: { code: 'engine_error', status: 503 },
    });
    await listWhen(engine, (models) => stateIn(models, 'relay-tiny') === 'installed');
  });

  it('reports a failed load when the process of the model exits', async () => {
    const { router, engine } = await routerAndEngine();
    router.breaksNext = true;
    const failure = await failureOf(
      engine.management.load?.('random-64', {}, new Progress().context) ?? Promise.resolve(),
    );
    expect(failure.code).toBe('engine_error');
    expect(stateIn(await modelsNow(engine), 'random-64')).toBe('failed');
  });

  it('stops a cancelled load', async () => {
    const { engine } = await routerAndEngine();
    const { context, controller, underWay } = new Progress();
    const reason = new Error('cancelled by the owner');
    const outcome = engine.management.load?.('random-64', {}, context).catch((error: unknown) => error);
    await underWay;
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect(stateIn(await modelsNow(engine), 'random-64')).toBe('installed');
  });

  it('refuses a context length, other sources, and the removal of files that it did not download', async () => {
    const { engine } = await routerAndEngine();
    const { load, install, remove } = engine.management;
    const { context } = new Progress();
    const nothing = Promise.resolve();
    expect((await failureOf(load?.('random-64', { contextTokens: 512 }, context) ?? nothing)).code).toBe('unsupported');
    expect((await failureOf(install?.('https://example.com/a.gguf', context) ?? nothing)).code).toBe('invalid_source');
    expect((await failureOf(remove?.('random-64', context) ?? nothing)).code).toBe('unsupported');
  });
});
