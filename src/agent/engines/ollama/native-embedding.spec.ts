import { afterEach, describe, expect, it } from '@jest/globals';
import { createHttpEngine } from '../../../../test/engines/create-http-engine.js';
import { askDocument, listWhen, Progress, stateIn } from '../../../../test/engines/engine-questions.js';
import { FakeOllama } from '../../../../test/engines/fakes/ollama.js';
import { ollamaKind } from './ollama-kind.js';

const EMBEDS = 'nomic-embed-text:latest';

describe('embeddings of Ollama', () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  const begin = async () => {
    const ollama = await FakeOllama.start({ models: [{ name: EMBEDS, capabilities: ['embedding'] }] });
    const engine = await createHttpEngine(ollamaKind, { base_url: ollama.url, poll_ms: 60_000 });
    cleanups.push(
      () => ollama.stop(),
      () => engine.stop(),
    );
    await engine.start();
    await engine.management.load?.(EMBEDS, { contextTokens: undefined }, new Progress().context);
    await listWhen(engine, (models) => stateIn(models, EMBEDS) === 'loaded');
    return { ollama, engine };
  };

  it('are those of its own route, digit for digit, in the envelope of OpenAI, and never cause a load', async () => {
    const { ollama, engine } = await begin();
    const input = ['one', 'three'];
    expect(await askDocument(engine, EMBEDS, 'embeddings', { input, dimensions: 2, user: 'me' })).toBe(
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[3.10,-0.0000012]},' +
        '{"object":"embedding","index":1,"embedding":[5.10,-0.0000012]}],"usage":{"prompt_tokens":2,"total_tokens":2}}',
    );
    expect(ollama.inferences).toMatchObject([{ model: EMBEDS, input, truncate: false, dimensions: 2 }]);
    expect(ollama.loads).toMatchObject([{ by: 'embed' }]);
  });

  it('are reported as the only route of a model that only embeds', async () => {
    const { engine } = await begin();
    expect(await listWhen(engine, () => true)).toMatchObject([
      { dialects: [], extension_routes: ['embeddings'], embedding: true },
    ]);
  });

  it.each([[[1, 2, 3]], [[[1], [2]]]])('of tokens are left to another engine', async (input) => {
    const { ollama, engine } = await begin();
    await expect(askDocument(engine, EMBEDS, 'embeddings', { input })).rejects.toMatchObject({
      failure: { code: 'unsupported_capability', status: 400, param: 'input' },
    });
    expect(ollama.inferences).toEqual([]);
  });
});
