import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpEngine } from '../../../../test/engines/create-http-engine.js';
import {
  ask,
  failureOf,
  greeting,
  listWhen,
  Progress,
  stateIn,
  collect,
} from '../../../../test/engines/engine-questions.js';
import { FakeOllama, type OllamaOptions } from '../../../../test/engines/fakes/ollama.js';
import { ollamaKind } from './ollama-kind.js';

const RESIDENT = 'qwen3:8b';

describe('Ollama versions that truncate prompts silently', () => {
  it('Ollama versions that truncate prompts silently get no prompt beyond the loaded context', async () => {
    const ollama = await FakeOllama.start({ models: [{ name: RESIDENT }], resident: [RESIDENT] });
    const engine = await createHttpEngine(ollamaKind, { base_url: ollama.url, poll_ms: 60_000 });
    try {
      await engine.start();
      await listWhen(engine, (models) => stateIn(models, RESIDENT) === 'loaded');
      const content = 'word '.repeat(8_000);
      const response = ask(engine, RESIDENT, { messages: [{ role: 'user', content }] }, { stream: true });
      await expect(response).rejects.toMatchObject({
        failure: { status: 400, context_overflow: { prompt_tokens: 10_001, max_tokens: null, context_tokens: 4_096 } },
      });
      expect(ollama.inferenceCalls()).toBe(0);
    } finally {
      await engine.stop();
      await ollama.stop();
    }
  });
});

describe('Ollama over its native API', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const begin = async (options: Partial<OllamaOptions> = {}) => {
    const ollama = await FakeOllama.start({ models: [{ name: RESIDENT }], resident: [RESIDENT], ...options });
    const engine = await createHttpEngine(ollamaKind, { base_url: ollama.url, poll_ms: 60_000 });
    cleanups.push(
      () => ollama.stop(),
      () => engine.stop(),
    );
    await engine.start();
    return { ollama, engine };
  };
  const wordy = (words: number) => ({ messages: [{ role: 'user', content: 'word '.repeat(words) }] });

  it.each([true, false])(
    'refuses a prompt just beyond the context, with exact numbers (stream: %s)',
    async (stream) => {
      const { ollama, engine } = await begin();
      await expect(ask(engine, RESIDENT, wordy(4_200), { stream })).rejects.toMatchObject({
        failure: { status: 400, context_overflow: { prompt_tokens: 4_201, max_tokens: null, context_tokens: 4_096 } },
      });
      expect(ollama.loads).toEqual([]);
    },
  );

  it('keeps the context of a load for later requests, without a reload', async () => {
    const { ollama, engine } = await begin({ resident: [] });
    await engine.management.load?.(RESIDENT, { contextTokens: 16_384 }, new Progress().context);
    expect(await listWhen(engine, () => true)).toMatchObject([{ state: 'loaded', context_length: 16_384 }]);
    for (const stream of [true, false]) {
      const response = await collect(await ask(engine, RESIDENT, wordy(12_000), { stream }));
      expect(response).toMatchObject({ finishReason: 'stop', usage: { prompt_tokens: 12_001 } });
    }
    const completion = { prompt: 'Once upon a time' };
    const body = Buffer.from(JSON.stringify(completion));
    const { signal } = new AbortController();
    const text = await engine.run({ route: 'completions', engineModel: RESIDENT, body, stream: false, signal });
    expect(text).toMatchObject({
      object: {
        object: 'text_completion',
        choices: [{ text: 'Hello! How can I help you today?', finish_reason: 'stop' }],
      },
    });
    expect(ollama.loads).toEqual([{ model: RESIDENT, by: 'generate' }]);
    expect(ollama.residentNames()).toEqual([RESIDENT]);
  });

  it('honours the sampling options that the OpenAI-compatible route ignores', async () => {
    const { ollama, engine } = await begin();
    const sampling = { top_k: 20, min_p: 0.1, repetition_penalty: 1.1, logit_bias: { '1': 1 } };
    const response = await ask(engine, RESIDENT, { ...greeting, ...sampling }, { stream: false });
    expect(response.dropped).toEqual(['logit_bias']);
    expect(ollama.inferences[0]).toMatchObject({
      truncate: false,
      shift: false,
      options: {
        num_ctx: 4_096,
        top_k: 20,
        min_p: 0.1,
        repeat_penalty: 1.1,
        temperature: 0,
        num_predict: 64,
      },
    });
  });

  it('passes thinking on as reasoning', async () => {
    const { engine } = await begin({ models: [{ name: RESIDENT, capabilities: ['completion', 'thinking'] }] });
    const response = await ask(engine, RESIDENT, { ...greeting, reasoning_effort: 'high' }, { stream: true });
    if (response.kind !== 'stream') throw new Error('not a stream');
    const chunks: unknown[] = [];
    await response.chunks.pipe((batch) => void chunks.push(...batch));
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant', reasoning: 'They greet me.' } }] });
  });

  it('uses the OpenAI-compatible route for versions without truncate', async () => {
    const { ollama, engine } = await begin({ version: '0.12.5' });
    await collect(await ask(engine, RESIDENT, greeting, { stream: true }));
    expect(ollama.asked).toContain('POST /v1/chat/completions');
    expect(ollama.asked).not.toContain('POST /api/chat');
    const failure = await failureOf(
      engine.management.load?.(RESIDENT, { contextTokens: 8_192 }, new Progress().context) ?? Promise.resolve(),
    );
    expect(failure.code).toBe('unsupported');
    expect(failure.message).toContain('OLLAMA_CONTEXT_LENGTH');
    expect(ollama.loads).toEqual([]);
  });
});
