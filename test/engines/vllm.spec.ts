import { afterEach, describe, expect, it } from '@jest/globals';
import type { Engine } from '../../src/agent/engines/engine.js';
import { EngineFailure } from '../../src/agent/engines/engine.js';
import { vllmKind } from '../../src/agent/engines/vllm/vllm-adapter.js';
import { eventually } from '../support/clock/eventually.js';
import { createHttpEngine } from './create-http-engine.js';
import { behavesAsAnEngine } from './engine-behaviour.js';
import {
  ask,
  failureOf,
  greeting,
  modelsNow,
  Progress,
  stateIn,
  story,
  collect,
  usageAtTheStart,
} from './engine-questions.js';
import { Vllm, type VllmFault } from './fakes/vllm.js';
import { underTest } from './under-test.js';

behavesAsAnEngine('vLLM', {
  kind: 'vllm',
  begin: async (options) => underTest(vllmKind, (await Vllm.start()).server, options, { resident: 'assistant' }),
  evicts: false,
  loads: false,
  removes: false,
});

describe('vLLM specifics', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  interface Begin {
    readonly pollMs?: number;
    readonly developmentMode?: boolean;
    readonly embedding?: boolean;
  }

  const begin = async ({ pollMs = 60_000, ...options }: Begin = {}): Promise<{ vllm: Vllm; engine: Engine }> => {
    const vllm = await Vllm.start(options);
    const engine = await createHttpEngine(vllmKind, { base_url: vllm.server.url, poll_ms: pollMs });
    cleanups.push(
      () => vllm.server.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return { vllm, engine };
  };

  it('identifies the first name by its weights, and other names and adapters separately', async () => {
    const { engine } = await begin();
    expect(await modelsNow(engine)).toMatchObject([
      { engine_model: 'assistant', display_name: 'assistant', canonical_name: 'qwen/qwen3-8b', context_length: 32_768 },
      { engine_model: 'qwen3', canonical_name: 'qwen3' },
      { engine_model: 'sql-lora', canonical_name: 'sql-lora' },
    ]);
    // The server reports neither inputs nor tools: unknown does not mean unsupported.
    expect(await modelsNow(engine)).toMatchObject([{ tools: null, inputs: ['text'] }, {}, {}]);
    expect(engine.facts()).toMatchObject({ version: '0.11.0' });
  });

  it('recognises a server whose model only embeds, by the routes that it has, which are asked once', async () => {
    const { vllm, engine } = await begin({ embedding: true, pollMs: 100 });
    const expected = { dialects: [], extension_routes: ['embeddings', 'rerank'], embedding: true };
    expect(await modelsNow(engine)).toMatchObject([expected, expected, expected]);
    const times = (path: string): number => vllm.server.asked.filter((asked) => asked === `GET ${path}`).length;
    await eventually('it is polled three times', () => times('/v1/models') > 3);
    expect([times('/v1/chat/completions'), times('/v1/embeddings')]).toEqual([1, 1]);
  });

  it('takes a server that has the route of chats for one that generates text, and tries what else it has', async () => {
    const { engine } = await begin();
    expect((await modelsNow(engine))[0]).toMatchObject({
      dialects: ['chat', 'completions'],
      extension_routes: ['count', 'embeddings', 'rerank'],
    });
  });

  it('reports its queue, and requests of others that two polls in a row have seen', async () => {
    const { vllm, engine } = await begin({ pollMs: 100 });
    expect(engine.load).toEqual({ waiting: 0, foreign: 0 });
    vllm.load = { running: 3, waiting: 2 };
    const polled = vllm.server.asked.length;
    await eventually('the requests of others are reported', () => engine.load?.foreign === 5);
    expect(engine.load).toEqual({ waiting: 2, foreign: 5 });
    expect(vllm.server.asked.slice(polled).filter((asked) => asked === 'GET /metrics').length).toBeGreaterThan(1);
  });

  it('vLLM specifics does not report its own requests as those of others', async () => {
    const { vllm, engine } = await begin({ pollMs: 100 });
    vllm.load = { running: 1, waiting: 0 };
    vllm.fault = 'silence';
    const requesting = new AbortController();
    const response = ask(engine, 'assistant', greeting, { stream: true, signal: requesting.signal });
    const polled = vllm.server.asked.length;
    await eventually(
      'it is polled three times',
      () => vllm.server.asked.slice(polled).filter((asked) => asked === 'GET /metrics').length >= 3,
    );
    expect(engine.load).toEqual({ waiting: 0, foreign: 0 });
    requesting.abort(new Error('enough'));
    await expect(response).rejects.toThrow();
    await eventually('the request is reported as one of others', () => engine.load?.foreign === 1);
  });

  it('reports the prompt length at the start where the dialect has it', async () => {
    const { engine } = await begin();
    expect(await usageAtTheStart(engine, 'assistant', true)).toMatchObject({ prompt_tokens: 9 });
    expect(await usageAtTheStart(engine, 'assistant', false)).toBeUndefined();
  });

  it('ends at an error in the stream, although [DONE] follows', async () => {
    const { vllm, engine } = await begin();
    vllm.fault = 'error in the stream, then [DONE]';
    const response = await ask(engine, 'assistant', greeting, { stream: true });
    await expect(collect(response)).rejects.toMatchObject({
      failure: { code: 'engine_error', message: 'EngineCore died' },
    });
  });

  it.each<readonly [VllmFault, object, string | undefined]>([
    ['error in the old shape', { code: 'engine_rejected_request', status: 404 }, undefined],
    ['context too long', { code: 'engine_rejected_request', status: 400 }, undefined],
    ['no tool parser', { code: 'unsupported_capability', status: 400, param: 'tools' }, 'tools'],
    ['no multimodal model', { code: 'unsupported_capability', status: 400, param: 'messages' }, 'image'],
  ])('reports the cause of: %s', async (fault, failure, capability) => {
    const { vllm, engine } = await begin();
    for (const stream of [true, false]) {
      vllm.fault = fault;
      const error: unknown = await ask(engine, 'assistant', greeting, { stream }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(EngineFailure);
      expect(error).toMatchObject({ failure });
      expect((error as EngineFailure).capability).toBe(capability);
    }
  });

  it('cuts a limit beyond the context to what is left, and says so', async () => {
    const { engine } = await begin();
    const response = await ask(engine, 'assistant', { ...greeting, max_tokens: 10_000_000 }, { stream: false });
    expect(response.dropped).toEqual(['max_tokens']);
    expect((await collect(response)).finishReason).toBe('stop');
  });

  it('cuts a limit of a completion that is beyond the context, whose default would be 16 tokens', async () => {
    const { vllm, engine } = await begin();
    const body = Buffer.from('{"prompt":"Count to","max_tokens":10000000}');
    const { signal } = new AbortController();
    const response = await engine.run({ route: 'completions', engineModel: 'assistant', body, stream: false, signal });
    expect(response).toMatchObject({ dropped: ['max_tokens'], object: { choices: [{ text: ' 1, 2, 3' }] } });
    expect(vllm.bodies).toMatchObject([{ max_tokens: 32_768 }]);
  });

  it.each(['max_tokens', 'max_completion_tokens'])(
    'asks again with what is left when it refuses a %s',
    async (field) => {
      const { vllm, engine } = await begin();
      vllm.fault = 'answer too long';
      const response = await ask(engine, 'assistant', { ...greeting, [field]: 32_000 }, { stream: true });
      expect(response.dropped).toEqual([field]);
      expect((await collect(response)).finishReason).toBe('stop');
      expect(vllm.bodies.map((body) => body[field])).toEqual([32_000, 31_768]);
    },
  );

  it('vLLM specifics is not asked again for a prompt that leaves no room, or without a limit of the client', async () => {
    const { vllm, engine } = await begin();
    for (const [fault, fields] of [
      ['context too long', { max_tokens: 5 }],
      ['answer too long', {}],
    ] as const) {
      vllm.fault = fault;
      await expect(ask(engine, 'assistant', { ...greeting, ...fields }, { stream: false })).rejects.toMatchObject({
        failure: { status: 400, context_overflow: expect.any(Object) },
      });
    }
    expect(vllm.bodies).toHaveLength(2);
  });

  it('lets running answers end before it sleeps', async () => {
    const { vllm, engine } = await begin({ developmentMode: true });
    const leaving = new AbortController();
    const response = await ask(engine, 'assistant', story, { stream: true, signal: leaving.signal });
    const reading = collect(response).catch((error: unknown) => error);
    const unloading = engine.management.unload?.('assistant', new Progress().context);
    await eventually('it was asked to sleep', () => vllm.server.asked.includes('POST /sleep'));
    expect(stateIn(await modelsNow(engine), 'assistant')).toBe('loaded');
    const done = new Error('done');
    leaving.abort(done);
    expect(await reading).toBe(done);
    await unloading;
    expect(stateIn(await modelsNow(engine), 'assistant')).toBe('installed');
  });

  it('sleeps and wakes when its development routes exist', async () => {
    const { engine } = await begin({ developmentMode: true });
    const { load, unload } = engine.management;
    await unload?.('assistant', new Progress().context);
    expect((await modelsNow(engine)).map(({ state }) => state)).toEqual(['installed', 'installed', 'installed']);
    await load?.('assistant', {}, new Progress().context);
    expect(stateIn(await modelsNow(engine), 'assistant')).toBe('loaded');
    const unknown = await failureOf(load?.('other', {}, new Progress().context) ?? Promise.resolve());
    expect(unknown.code).toBe('unknown_model');
  });
});
