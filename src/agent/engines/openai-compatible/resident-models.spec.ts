import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { LiteLlm } from '../../../../test/engines/fakes/litellm.js';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import type { EngineModel } from '../engine.js';
import type { OpenAiCompatibleEngine, OpenAiCompatibleOptions } from './openai-compatible-engine.js';

/** A minute is 30 ms. */
const FASTER = 2_000;

let harness: EngineHarness;
beforeEach(() => {
  harness = new EngineHarness();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await harness.close();
});

const states = (models: readonly EngineModel[]): (readonly [string, string])[] =>
  models.map(({ engine_model: model, state }) => [model, state] as const);
const modelsWhen = (
  engine: OpenAiCompatibleEngine,
  is: (models: readonly EngineModel[]) => boolean,
): Promise<readonly EngineModel[]> => firstValueFrom(engine.models$.pipe(filter(is)));

describe('the models of an OpenAI-compatible engine', () => {
  it('the models of an OpenAI-compatible engine are loaded when listed and named as resident', async () => {
    const engine = harness.engineAt((await harness.fake({ models: ['org/One', '/home/me/models/two-Q4.gguf'] })).url, {
      displayNames: { 'org/One': 'One' },
      resident: 'all',
    });
    await engine.start();
    const models = await modelsWhen(engine, (list) => list.length > 0);
    expect(models).toMatchObject([
      {
        engine_model: 'org/One',
        display_name: 'One',
        canonical_name: 'org/one',
        state: 'loaded',
        dialects: ['chat', 'completions'],
        untried_inputs: ['image'],
      },
      {
        engine_model: '/home/me/models/two-Q4.gguf',
        display_name: 'two-Q4',
        canonical_name: 'two-q4',
        inputs: ['text'],
      },
    ]);
  });

  it('appear, change and vanish while the node runs', async () => {
    const backend = await harness.fake({ models: ['one'] });
    const engine = harness.engineAt(backend.url);
    await engine.start();
    expect(states(await firstValueFrom(engine.models$))).toEqual([['one', 'loaded']]);
    backend.models = ['one', 'two'];
    // Which of them a request would load is not known any more.
    expect(states(await modelsWhen(engine, (list) => list.length === 2))).toEqual([
      ['one', 'installed'],
      ['two', 'installed'],
    ]);
    await backend.stop();
    await modelsWhen(engine, (list) => list.length === 0);
  });

  it('the models of an OpenAI-compatible engine are empty without an engine, and the reason is logged once', async () => {
    const problems: (string | null)[] = [];
    const engine = harness.engineAt('http://127.0.0.1:1', { onProblem: (problem) => problems.push(problem) });
    await engine.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await firstValueFrom(engine.models$)).toEqual([]);
    expect(problems).toEqual(['cannot be reached']);
  });

  it('the models of an OpenAI-compatible engine stay while an engine is too busy to answer', async () => {
    let silent = false;
    const url = await harness.serve((request, response) => {
      if (silent) return;
      response.writeHead(request.url === '/v1/models' ? 200 : 404).end('{"data":[{"id":"one"}]}');
    });
    const engine = harness.engineAt(url);
    await engine.start();
    silent = true;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(states(await firstValueFrom(engine.models$))).toEqual([['one', 'loaded']]);
  });

  const list = '{"data":[{"id":"one","object":"model"}]}';
  const recordedRouter = readFileSync(
    new URL('../../../../test/fixtures/recordings/llama-server/router-models-loaded.txt', import.meta.url),
    'utf8',
  ).split('\r\n\r\n')[1]!;

  it.each([
    ['Ollama', { '/v1/models': list, '/api/version': '{"version":"0.33.0"}' }, {}, 'ollama', 'installed'],
    [
      'LM Studio',
      { '/v1/models': list, '/api/v1/models': '{"models":[{"key":"one","loaded_instances":[{}]}]}' },
      {},
      'lmstudio',
      'installed',
    ],
    [
      'an older LM Studio',
      { '/v1/models': list, '/api/v0/models': '{"data":[{"id":"one","state":"loaded"}]}' },
      {},
      'lmstudio',
      'installed',
    ],
    [
      'a llama.cpp router',
      { '/v1/models': recordedRouter, '/models': recordedRouter },
      {},
      'llamacpp-router',
      'installed',
    ],
    ['mlx-lm', { '/v1/models': list }, { server: 'BaseHTTP/0.6 Python/3.12.1' }, 'mlx-lm', 'installed'],
    [
      'mlx-vlm',
      { '/v1/models': list, '/openapi.json': '{"info":{"title":"MLX-VLM Inference API","version":"0.6.0"}}' },
      { server: 'uvicorn' },
      'mlx-vlm',
      'installed',
    ],
    [
      'transformers serve',
      { '/v1/models': '{"data":[{"id":"Qwen/Qwen3-8B","owned_by":"Qwen"},{"id":"google/gemma","owned_by":"google"}]}' },
      { server: 'uvicorn' },
      'transformers-serve',
      'installed',
    ],
    [
      'llama-swap',
      { '/v1/models': list, '/running': '{"running":[]}', '/api/version': '{"commit":"a","version":"250"}' },
      {},
      'llama-swap',
      'installed',
    ],
    ['LocalAI', { '/v1/models': list, '/system': '{"backends":[],"loaded_models":[]}' }, {}, 'localai', 'installed'],
    [
      'llama-server',
      { '/v1/models': list, '/props': '{"default_generation_settings":{},"build_info":"b500"}' },
      {},
      'llamacpp-server',
      'loaded',
    ],
    ['vLLM', { '/v1/models': list, '/version': '{"version":"0.11"}' }, {}, 'vllm', 'loaded'],
    ['anything else', { '/v1/models': list, '/health': '{"status":"ok"}' }, {}, 'openai-compatible', 'loaded'],
  ] as const)(
    'the models of an OpenAI-compatible engine of %s, which loads on demand, are not reported as loaded merely because they are listed',
    async (_name, routes, headers, kind, state) => {
      const posts: string[] = [];
      const url = await harness.serve((request, response) => {
        if (request.method !== 'GET') posts.push(request.url ?? '');
        const responses: Readonly<Record<string, string>> = routes;
        const result = responses[request.url ?? ''];
        // LM Studio's way of saying 404, which must not pass for a response.
        const body = result ?? `{"error":"Unexpected endpoint or method. (GET ${String(request.url)})"}`;
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
      });
      const engine = harness.engineAt(url);
      await engine.start();
      expect(engine.facts().kind).toBe(kind);
      const spoken = ['mlx-vlm', 'transformers-serve'].includes(kind) ? ['chat'] : ['chat', 'completions'];
      for (const model of await firstValueFrom(engine.models$))
        expect(model).toMatchObject({ state, dialects: spoken });
      // Neither residency nor a route is ever tried out.
      expect(posts).toEqual([]);

      const resident = harness.engineAt(url, { resident: 'all' });
      await resident.start();
      for (const [, state] of states(await firstValueFrom(resident.models$))) expect(state).toBe('loaded');
      const partly = harness.engineAt(url, { resident: ['other'] });
      await partly.start();
      for (const [, state] of states(await firstValueFrom(partly.models$))) expect(state).toBe('installed');
    },
  );

  it('transformers serve has the resident models that its list names, as recorded (5.24)', async () => {
    const entry = (id: string, owner: string, value: string): object => ({
      owned_by: owner,
      id,
      object: 'model',
      created: 0,
      status: { value },
    });
    let data = [entry('/models/tiny', 'local', 'loaded'), entry('Qwen/Qwen3-8B', 'Qwen', 'unloaded')];
    const url = await harness.serve((request, response) => {
      if (request.url === '/v1/models') response.end(JSON.stringify({ object: 'list', data }));
      else response.writeHead(404).end('{"detail":"Not Found"}');
    });
    const engine = harness.engineAt(url);
    await engine.start();
    expect(engine.facts().kind).toBe('transformers-serve');
    expect(states(await firstValueFrom(engine.models$))).toEqual([
      ['/models/tiny', 'loaded'],
      ['Qwen/Qwen3-8B', 'installed'],
    ]);
    expect(await firstValueFrom(engine.models$)).toMatchObject([{ dialects: ['chat', 'completions'] }, {}]);
    data = [entry('/models/tiny', 'local', 'unloaded'), entry('Qwen/Qwen3-8B', 'Qwen', 'loaded')];
    await eventually('the list is read again', async () =>
      states(await firstValueFrom(engine.models$)).every(
        ([, state], index) => state === ['installed', 'loaded'][index],
      ),
    );
  });

  it('of mlx-lm are resident when they are its own --model, which is a folder; an empty list is no failure', async () => {
    let ids = ['/models/tiny-hf', 'mlx-community/Qwen3-4B-4bit'];
    const url = await harness.serve((request, response) => {
      if (request.url === '/v1/models') {
        const data = ids.map((id) => ({ id, object: 'model', created: 1 }));
        response.writeHead(200, { server: 'BaseHTTP/0.6 Python/3.11.7' }).end(JSON.stringify({ object: 'list', data }));
      } else response.writeHead(404, { server: 'BaseHTTP/0.6 Python/3.11.7' }).end('Not Found');
    });
    const engine = harness.engineAt(url);
    await engine.start();
    expect(states(await firstValueFrom(engine.models$))).toEqual([
      ['/models/tiny-hf', 'loaded'],
      ['mlx-community/Qwen3-4B-4bit', 'installed'],
    ]);
    ids = [];
    await modelsWhen(engine, (models) => models.length === 0);
    expect(engine.condition).toEqual({ is: 'answering' });
    expect(engine.facts().kind).toBe('mlx-lm');
  });

  it('a hub offers the models that match a pattern, and at most a set number', async () => {
    const { url } = await harness.fake({ models: ['openai/gpt-5', 'local/one', 'local/two', 'local.three'] });
    const listed = async (only: readonly string[] | null, maxModels: number) => {
      const engine = harness.engineAt(url, { only, maxModels });
      await engine.start();
      return states(await firstValueFrom(engine.models$)).map(([id]) => id);
    };
    expect(await listed(['local/*'], 100)).toEqual(['local/one', 'local/two']);
    expect(await listed(['*.three', 'openai/gpt-5'], 100)).toEqual(['openai/gpt-5', 'local.three']);
    expect(await listed(null, 2)).toEqual(['openai/gpt-5', 'local/one']);
  });

  it('LiteLLM has all its models resident, and no poll calls one', async () => {
    const proxy = await LiteLlm.start();
    const real = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => real() * FASTER);
    const engine = harness.engineAt(proxy.server.url, { pollMs: 1 });
    await engine.start();
    expect(states(await firstValueFrom(engine.models$))).toEqual([
      ['hub/one', 'loaded'],
      ['hub/two', 'loaded'],
    ]);
    const identified = () => proxy.server.asked.filter((asked) => asked === 'GET /running').length;
    // Once a minute.
    await eventually('it was identified again and again', () => identified() >= 5, 15_000 * FASTER);
    expect(proxy.modelCalls).toBe(0);
    await engine.stop();
    await proxy.server.stop();
  });

  it('the models of an OpenAI-compatible engine have the configured routes for any engine', async () => {
    const { url } = await harness.fake({ loadsOnDemand: true });
    const routesOf = async (routes: OpenAiCompatibleOptions['routes']): Promise<readonly string[]> => {
      const engine = harness.engineAt(url, { routes });
      await engine.start();
      return (await firstValueFrom(engine.models$))[0]!.dialects;
    };
    expect(await routesOf(['chat'])).toEqual(['chat']);
    expect(await routesOf(['completions'])).toEqual(['completions']);
    expect(await routesOf(null)).toEqual(['chat', 'completions']);
  });

  it('the models of an OpenAI-compatible engine are read again when another engine takes the address', async () => {
    let version = false;
    const url = await harness.serve((request, response) => {
      const path = request.url ?? '';
      if (path === '/v1/models') response.end(JSON.stringify({ data: [{ id: version ? 'two' : 'one' }] }));
      else if (path === '/api/version' && version) response.end('{"version":"0.33.0"}');
      else response.writeHead(404).end();
    });
    const engine = harness.engineAt(url);
    await engine.start();
    expect(states(await firstValueFrom(engine.models$))).toEqual([['one', 'loaded']]);
    version = true;
    await eventually(
      'the other engine is known',
      async () => JSON.stringify(states(await firstValueFrom(engine.models$))) === '[["two","installed"]]',
    );
  });
});
