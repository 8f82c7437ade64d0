import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, collect, greeting, listWhen } from '../../../../test/engines/engine-questions.js';
import { MLX_FOLDER, MlxLm, type MlxLmOptions } from '../../../../test/engines/fakes/mlx-lm.js';
import { batchesOf } from '../../../../test/support/engine/response-batches.js';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';
import { identify } from '../discovery/identify.js';
import type { Engine, EngineObject } from '../engine.js';

let harness: EngineHarness;
const servers: MlxLm[] = [];
beforeEach(() => {
  harness = new EngineHarness();
});
afterEach(async () => {
  await harness.close();
  for (const { server } of servers.splice(0)) await server.stop();
});

async function begin(options: MlxLmOptions = {}): Promise<{ mlx: MlxLm; engine: Engine }> {
  const mlx = await MlxLm.start(options);
  servers.push(mlx);
  const engine = harness.engineAt(mlx.server.url);
  await engine.start();
  return { mlx, engine };
}

describe('mlx-lm', () => {
  it.each([
    ['generation thread died', { code: 'engine_error', status: 503 }],
    ['Cannot apply chat template to an empty conversation. Provide at least one message.', { status: 400 }],
    ["Only 'text' content type is supported.", { code: 'unsupported_capability', status: 400, param: 'messages' }],
  ])('answers 404 to everything, and means: %s', async (error, failure) => {
    const { mlx, engine } = await begin();
    mlx.failure = error;
    await expect(ask(engine, MLX_FOLDER, greeting, { stream: false })).rejects.toMatchObject({ failure });
  });

  it('mlx-lm does not lack text completions because they failed', async () => {
    const { mlx, engine } = await begin();
    mlx.failure = 'generation thread died';
    const body = Buffer.from('{"prompt":"Once"}');
    const { signal } = new AbortController();
    await expect(
      engine.run({ route: 'completions', engineModel: MLX_FOLDER, body, stream: false, signal }),
    ).rejects.toMatchObject({ failure: { code: 'engine_error', status: 503 } });
  });

  it.each(['["Count to","The capital"]', '[5,6,7]'])('never gets the prompt %s, which would end it', async (prompt) => {
    const { mlx, engine } = await begin();
    const body = Buffer.from(`{"prompt":${prompt}}`);
    const { signal } = new AbortController();
    await expect(
      engine.run({ route: 'completions', engineModel: MLX_FOLDER, body, stream: false, signal }),
    ).rejects.toMatchObject({ failure: { code: 'invalid_request', status: 400, param: 'prompt' } });
    expect([mlx.asked, mlx.died]).toEqual([[], false]);
  });

  it('mlx-lm has no models once it has lost the thread that generates', async () => {
    const { mlx, engine } = await begin();
    mlx.died = true;
    await listWhen(engine, (models) => models.length === 0);
    expect(engine.condition).toMatchObject({ is: 'unreachable', problem: expect.stringContaining('restart it') });
  });

  it('reports what it ignores', async () => {
    const { engine } = await begin();
    const fields = { tool_choice: 'required', response_format: { type: 'json_object' }, n: 2 };
    expect((await ask(engine, MLX_FOLDER, { ...greeting, ...fields }, { stream: false })).dropped).toEqual(
      expect.arrayContaining(Object.keys(fields)),
    );
    const typical = { tool_choice: 'auto', response_format: { type: 'text' }, n: 1 };
    expect((await ask(engine, MLX_FOLDER, { ...greeting, ...typical }, { stream: false })).dropped ?? []).toEqual([]);
  });

  it('mlx-lm has its --model in memory, and no request makes it load that again by another name', async () => {
    const { mlx, engine } = await begin({ cached: ['mlx-community/Qwen3-4B-4bit'] });
    const models = await listWhen(engine, () => true);
    expect(models.map(({ engine_model: id, state }) => [id, state])).toEqual([
      ['mlx-community/Qwen3-4B-4bit', 'installed'],
      [MLX_FOLDER, 'loaded'],
    ]);
    expect((await collect(await ask(engine, MLX_FOLDER, greeting, { stream: true }))).finishReason).toBe('stop');
    expect(mlx.loads).toEqual([]);
    expect(mlx.asked).toEqual(['default_model']);
  });

  it('serves its --model where it cannot list anything, on a computer without a Hugging Face cache', async () => {
    const { mlx, engine } = await begin({ cached: null });
    expect(engine.condition).toEqual({ is: 'answering' });
    expect(engine.facts().kind).toBe('mlx-lm');
    expect(await listWhen(engine, () => true)).toMatchObject([{ engine_model: 'default_model', state: 'loaded' }]);
    await collect(await ask(engine, 'default_model', greeting, { stream: false }));
    expect(mlx.loads).toEqual([]);
    const get = async (path: string) => {
      const response = await fetch(mlx.server.url + path);
      const server = response.headers.get('server') ?? '';
      return { status: response.status, server, text: await response.text() };
    };
    expect(await identify(get)).toMatchObject({ seen: 'engine', kind: 'mlx-lm' });
  });

  it('tells the length of the prompt by its progress, where the protocol has it at the start', async () => {
    const { engine } = await begin();
    const chunks = async (promptTokens: boolean): Promise<EngineObject[]> => {
      const wants = { matchedStop: false, promptTokens };
      const response = await ask(engine, MLX_FOLDER, greeting, { stream: true, responseOptions: wants });
      if (response.kind !== 'stream') throw new Error('not a stream');
      const all: EngineObject[] = [];
      for await (const batch of batchesOf(response.chunks)) all.push(...batch);
      return all;
    };
    expect((await chunks(true)).slice(0, 2)).toEqual([
      { choices: [], prompt_progress: { processed: 8, total: 9 } },
      { choices: [], prompt_progress: { processed: 9, total: 9 } },
    ]);
    expect((await chunks(false)).filter((chunk) => 'prompt_progress' in chunk)).toEqual([]);
  });
});
