import { afterEach, describe, expect, it } from '@jest/globals';
import { fingerprint } from '../../src/agent/engines/http/fingerprint.js';
import { llamaSwapKind } from '../../src/agent/engines/llama-swap/llama-swap-adapter.js';
import { createHttpEngine } from './create-http-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { ask, collect, failureOf, greeting, listWhen, modelsNow, Progress, stateIn } from './engine-questions.js';
import { LlamaSwap } from './fakes/llama-swap.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('llama-swap (recorded)', {
  kind: 'llama-swap',
  begin: async (options) => {
    const swap = await LlamaSwap.start();
    return underTest(llamaSwapKind, swap.server, options, {
      resident: 'chatty',
      installed: 'author/quiet',
      evict: () => void swap.running.delete('chatty'),
    });
  },
  evicts: true,
  loads: true,
  removes: false,
});

describe('llama-swap', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async () => {
    const swap = await LlamaSwap.start();
    const engine = await createHttpEngine(llamaSwapKind, { base_url: swap.server.url, poll_ms: 60_000 });
    cleanups.push(
      () => swap.server.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return { swap, engine };
  };

  it('llama-swap is taken for neither Ollama nor a llama-server', async () => {
    const { swap } = await begin();
    const probe = async (path: string) => {
      const response = await fetch(swap.server.url + path);
      return { status: response.status, server: '', text: await response.text() };
    };
    expect(await fingerprint(probe)).toMatchObject({ kind: 'llama-swap', loadsOnDemand: true });
    expect(swap.starts).toEqual([]);
  });

  it('lists its own models by their state, and none of other computers', async () => {
    const { engine } = await begin();
    expect((await modelsNow(engine)).map(({ engine_model: id, state }) => [id, state])).toEqual([
      ['author/quiet', 'installed'],
      ['chatty', 'loaded'],
      ['broken', 'installed'],
    ]);
    expect(engine.facts().version).toBe('250');
  });

  it('llama-swap is not asked for a model whose server it has stopped since the last poll', async () => {
    const { swap, engine } = await begin();
    swap.running.clear();
    await expect(ask(engine, 'chatty', greeting, { stream: true })).rejects.toMatchObject({
      failure: { code: 'engine_error', status: 503 },
    });
    expect(swap.starts).toEqual([]);
    await listWhen(engine, (models) => stateIn(models, 'chatty') === 'installed');
  });

  it('loads a model with a name in parts without an inference, and serves it', async () => {
    const { swap, engine } = await begin();
    await engine.management.load?.('author/quiet', {}, new Progress().context);
    expect(swap.starts).toEqual([{ model: 'author/quiet', by: 'upstream' }]);
    expect((await collect(await ask(engine, 'author/quiet', greeting, { stream: true }))).finishReason).toBe('stop');
    expect(stateIn(await modelsNow(engine), 'chatty')).toBe('installed');
  });

  it('says when the server of a model does not start, and that it sets no context', async () => {
    const { engine } = await begin();
    const load = engine.management.load ?? (() => Promise.reject(new Error('it cannot load')));
    const failure = await failureOf(load('broken', {}, new Progress().context));
    expect(failure.message).toContain('unable to start process');
    expect(await failureOf(load('chatty', { contextTokens: 8_192 }, new Progress().context))).toMatchObject({
      code: 'unsupported',
    });
  });
});
