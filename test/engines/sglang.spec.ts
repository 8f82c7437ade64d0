import { afterEach, describe, expect, it } from '@jest/globals';
import type { Engine, EngineModel } from '../../src/agent/engines/engine.js';
import { sglangKind } from '../../src/agent/engines/sglang/sglang-adapter.js';
import { createHttpEngine } from './create-http-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { modelsNow, usageAtTheStart } from './engine-questions.js';
import { startSglang, type SglangOptions } from './fakes/sglang.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('SGLang (documented, not recorded)', {
  kind: 'sglang',
  begin: async (options) => underTest(sglangKind, await startSglang(), options, { resident: 'qwen' }),
  evicts: false,
  loads: false,
  removes: false,
});

describe('SGLang specifics', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async (options: SglangOptions): Promise<Engine> => {
    const server = await startSglang(options);
    const engine = await createHttpEngine(sglangKind, { base_url: server.url });
    cleanups.push(
      () => server.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return engine;
  };
  const modelOf = async (options: SglangOptions): Promise<EngineModel | undefined> =>
    (await modelsNow(await begin(options)))[0];

  it('reports the prompt length at the start of a stream where the dialect has it', async () => {
    const engine = await begin({});
    expect(await usageAtTheStart(engine, 'qwen', true)).toMatchObject({ prompt_tokens: 9 });
    expect(await usageAtTheStart(engine, 'qwen', false)).toBeUndefined();
  });

  it('reports the queue of all its processes', async () => {
    expect((await begin({})).load).toEqual({ waiting: 2, foreign: 0 });
  });

  it('identifies a model by its weights, whatever its served name', async () => {
    expect(await modelOf({})).toMatchObject({
      display_name: 'qwen',
      canonical_name: 'qwen/qwen3-8b',
      context_length: 40_960,
    });
  });

  it('reports images and tools as advertised by the server', async () => {
    expect(await modelOf({ multimodal: true })).toMatchObject({
      inputs: ['text', 'image'],
      tools: true,
      reasoning: true,
    });
    expect(await modelOf({ toolCallParser: null })).toMatchObject({ inputs: ['text'], tools: false });
  });
});
