import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { filter, firstValueFrom } from 'rxjs';
import { eventually } from '../../../../test/support/eventually.js';
import { FakeEngine } from '../../../../test/support/fake-engine.js';
import { EngineFailure, type EngineAnswer, type EngineModel, type EngineObject } from '../engine.js';
import { OpenAiCompatibleEngine, type OpenAiCompatibleOptions } from './openai-compatible-engine.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const engineAt = (url: string, options: Partial<OpenAiCompatibleOptions> = {}): OpenAiCompatibleEngine => {
  const engine = new OpenAiCompatibleEngine({
    name: 'test',
    baseUrl: new URL(url),
    apiKey: undefined,
    slots: 4,
    pollMs: 20,
    resident: null,
    inputs: null,
    tools: null,
    contextTokens: null,
    displayNames: {},
    userAgent: 'ferry-node/test',
    onProblem: () => undefined,
    ...options,
  });
  cleanups.push(() => engine.stop());
  return engine;
};

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server that answers as the test says, byte for byte. */
const serve = async (answer: Answer): Promise<string> => {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
    request.on('end', () => answer(request, response, body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const fake = async (...args: Parameters<typeof FakeEngine.start>): Promise<FakeEngine> => {
  const engine = await FakeEngine.start(...args);
  cleanups.push(() => engine.stop());
  return engine;
};

const run = (engine: OpenAiCompatibleEngine, stream: boolean, signal = new AbortController().signal): Promise<EngineAnswer> =>
  engine.run({ route: 'chat', engineModel: 'fake', body: Buffer.from('{"model":"public","messages":[]}'), stream, signal });

const failureOf = async (work: Promise<unknown>): Promise<EngineFailure> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineFailure);
  return error as EngineFailure;
};

const collect = async (answer: EngineAnswer): Promise<EngineObject[]> => {
  if (answer.kind !== 'stream') throw new Error('not a stream');
  const chunks: EngineObject[] = [];
  for await (const batch of answer.chunks) chunks.push(...batch);
  return chunks;
};

const states = (models: readonly EngineModel[]): (readonly [string, string])[] =>
  models.map(({ engine_model: model, state }) => [model, state] as const);
const modelsWhen = (engine: OpenAiCompatibleEngine, is: (models: readonly EngineModel[]) => boolean): Promise<readonly EngineModel[]> =>
  firstValueFrom(engine.models$.pipe(filter(is)));

describe('a call to an OpenAI-compatible engine', () => {
  it('sends a length, asks for no compression, and replaces nothing but the model and the wish for usage', async () => {
    let seen: { headers: IncomingMessage['headers']; body: string; url: string | undefined } | undefined;
    const url = await serve((request, response, body) => {
      seen = { headers: request.headers, body, url: request.url };
      response.end('data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n');
    });
    await collect(await run(engineAt(`${url}/v1/`, { apiKey: 'engine-key' }), true));
    expect(seen?.url).toBe('/v1/chat/completions');
    expect(seen?.body).toBe('{"stream":true,"stream_options":{"include_usage":true},"model":"fake","messages":[]}');
    expect(seen?.headers).toMatchObject({
      'content-length': String(seen?.body.length),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer engine-key',
    });
    for (const absent of ['transfer-encoding', 'expect', 'origin', 'cookie']) expect(seen?.headers).not.toHaveProperty(absent);
  });

  it('gives the whole answer where nothing is streamed', async () => {
    const answer = await run(engineAt((await fake()).url), false);
    expect(answer).toMatchObject({ kind: 'whole', object: { usage: { total_tokens: 5 } } });
  });

  it('uses a connection again after a stream that ran to its end', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      setTimeout(() => response.end(), 5);
    });
    const engine = engineAt(url);
    for (let index = 0; index < 3; index += 1) {
      await collect(await run(engine, true));
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(ports.size).toBe(1);
  });

  it.each([
    ['in prefill of a stream', true, false],
    ['in prefill of a whole answer', false, false],
    ['in the middle of a stream', true, true],
  ])('is aborted within a second, %s', async (_when, stream, begun) => {
    const engine = await fake();
    engine.answer = (call) => {
      if (!begun) return;
      call.startStream();
      call.chunk({ content: 'a' });
    };
    const arrived = engine.nextCall();
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const answer = run(engineAt(engine.url), stream, controller.signal);
    const reading = begun ? answer.then(collect) : answer;
    const outcome = reading.catch((error: unknown) => error);
    const call = await arrived;
    if (begun) await new Promise((resolve) => setTimeout(resolve, 50));
    const abortedAt = performance.now();
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect((await call.aborted) - abortedAt).toBeLessThan(1_000);
  });

  it('closes the socket when the reader leaves early', async () => {
    const engine = await fake();
    engine.answer = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
    };
    const arrived = engine.nextCall();
    const answer = await run(engineAt(engine.url), true);
    if (answer.kind !== 'stream') throw new Error('not a stream');
    for await (const batch of answer.chunks) if (batch.length > 0) break;
    await (await arrived).aborted;
  });
});

describe('what an engine answers instead', () => {
  const answering = async (status: number, headers: Record<string, string>, body: string): Promise<OpenAiCompatibleEngine> =>
    engineAt(await serve((_request, response) => response.writeHead(status, headers).end(body)));
  const json = { 'content-type': 'application/json' };
  const recorded = (name: string): string => {
    const text = readFileSync(new URL(`../../../../test/fixtures/recordings/llama-server/${name}`, import.meta.url), 'utf8');
    return text.slice(text.indexOf('\r\n\r\n') + 4);
  };

  it.each([
    ['a recorded 400 of llama.cpp', 400, json, recorded('chat-err-context.txt'), 400, 'engine_rejected_request', /exceeds the available context size/],
    ['a 404 with an error', 404, json, '{"error":{"message":"model \\"x\\" not found"}}', 404, 'engine_rejected_request', /not found/],
    ['a 404 of a wrong address', 404, { 'content-type': 'text/html' }, '<html>Not Found</html>', 503, 'engine_error', /404/],
    ['a 413', 413, json, '{"error":"too large"}', 413, 'engine_rejected_request', /too large/],
    ['a 422 of FastAPI', 422, json, '{"detail":[{"loc":["body"],"msg":"field required"}]}', 400, 'engine_rejected_request', /field required/],
    ['plain text with a 400', 400, { 'content-type': 'text/plain' }, 'bad\u0007 request\nhere', 400, 'engine_rejected_request', /: bad request here$/],
    ['a 401', 401, json, '{"error":{"message":"no key"}}', 503, 'engine_error', /api_key_env/],
    ['a 403', 403, json, '{}', 503, 'engine_error', /api_key_env/],
    ['a redirect', 302, { location: 'http://169.254.169.254/' }, '', 503, 'engine_error', /redirect/],
    ['a recorded 500 of llama.cpp', 500, json, recorded('chat-err-image.txt'), 503, 'engine_error', /image/],
    ['a web page with a 502', 502, { 'content-type': 'text/html' }, '<html><body>Bad Gateway</body></html>', 503, 'engine_error', /502 without/],
    ['200 and an error, as LM Studio', 200, json, '{"error":"Unexpected endpoint or method. (POST /v1/chat/completions)"}', 503, 'engine_error', /Unexpected endpoint/],
    ['200 and a web page', 200, { 'content-type': 'text/html' }, '<html></html>', 503, 'engine_error', /not/],
    ['a compressed answer', 200, { ...json, 'content-encoding': 'gzip' }, 'xxxx', 503, 'engine_error', /encoding/],
    ['an empty 200', 200, json, '', 503, 'engine_error', /not/],
  ] as const)('%s', async (_name, status, headers, body, expectedStatus, code, message) => {
    for (const stream of [true, false]) {
      const { failure } = await failureOf(run(await answering(status, headers, body), stream));
      expect(failure).toMatchObject({ status: expectedStatus, code });
      expect(failure.message).toMatch(message);
    }
  });

  it('keeps the wait that a 429 asks for, within reason', async () => {
    const wait = async (header: string): Promise<number | null> =>
      (await failureOf(run(await answering(429, { ...json, 'retry-after': header }, '{}'), false))).failure.retry_after_seconds;
    expect(await wait('7')).toBe(7);
    expect(await wait('999999')).toBe(3_600);
    expect(await wait('Wed, 21 Oct 2026 07:28:00 GMT')).toBeNull();
  });

  it.each([
    ['no choices', '{"id":"x","choices":[]}'],
    ['no finish_reason', '{"choices":[{"index":0,"message":{"content":"half"},"finish_reason":null}]}'],
    ['no JSON', '{"choices":[{"logprobs":NaN}]}'],
  ])('a whole answer with %s is a failure', async (_name, body) => {
    expect((await failureOf(run(await answering(200, json, body), false))).failure.code).toBe('engine_error');
  });

  it('an engine that cannot be reached, or hangs up, is an engine_error', async () => {
    const gone = await fake();
    const { url } = gone;
    await gone.stop();
    expect((await failureOf(run(engineAt(url), false))).message).toContain('cannot be reached');
    cleanups.pop();
    cleanups.pop();
    const rude = await fake();
    rude.answer = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
      setTimeout(() => call.destroy(), 20);
    };
    expect((await failureOf(run(engineAt(rude.url), true).then(collect))).message).toContain('closed the connection');
  });
});

describe('the models of an OpenAI-compatible engine', () => {
  it('are loaded when listed', async () => {
    const engine = engineAt((await fake({ models: ['org/One', '/home/me/models/two-Q4.gguf'] })).url, {
      displayNames: { 'org/One': 'One' },
    });
    await engine.start();
    const models = await modelsWhen(engine, (list) => list.length > 0);
    expect(models).toMatchObject([
      { engine_model: 'org/One', display_name: 'One', canonical_name: 'org/one', state: 'loaded', dialects: ['chat'] },
      { engine_model: '/home/me/models/two-Q4.gguf', display_name: 'two-Q4', canonical_name: 'two-q4', inputs: ['text'] },
    ]);
  });

  it('appear, change and vanish while the node runs', async () => {
    const backend = await fake({ models: ['one'] });
    const engine = engineAt(backend.url);
    await engine.start();
    backend.models = ['one', 'two'];
    expect(states(await modelsWhen(engine, (list) => list.length === 2))).toEqual([
      ['one', 'loaded'],
      ['two', 'loaded'],
    ]);
    await backend.stop();
    cleanups.shift();
    await modelsWhen(engine, (list) => list.length === 0);
  });

  it('are empty without an engine, and say why once', async () => {
    const problems: (string | null)[] = [];
    const engine = engineAt('http://127.0.0.1:1', { onProblem: (problem) => problems.push(problem) });
    await engine.start();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await firstValueFrom(engine.models$)).toEqual([]);
    expect(problems).toEqual(['cannot be reached']);
  });

  it('do not vanish because an engine is too busy to answer', async () => {
    let silent = false;
    const url = await serve((request, response) => {
      if (silent) return;
      response.writeHead(request.url === '/v1/models' ? 200 : 404).end('{"data":[{"id":"one"}]}');
    });
    const engine = engineAt(url);
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
    ['LM Studio', { '/v1/models': list, '/api/v1/models': '{"models":[{"key":"one","loaded_instances":[{}]}]}' }, {}, 'lmstudio', 'installed'],
    ['an older LM Studio', { '/v1/models': list, '/api/v0/models': '{"data":[{"id":"one","state":"loaded"}]}' }, {}, 'lmstudio', 'installed'],
    ['a llama.cpp router', { '/v1/models': recordedRouter, '/models': recordedRouter }, {}, 'llamacpp-router', 'installed'],
    ['mlx-lm', { '/v1/models': list }, { server: 'BaseHTTP/0.6 Python/3.12.1' }, 'mlx-lm', 'installed'],
    ['mlx-vlm', { '/v1/models': list, '/health': '{"status":"healthy","loaded_model":null}' }, {}, 'mlx-vlm', 'installed'],
    ['LocalAI', { '/v1/models': list, '/system': '{"backends":[],"loaded_models":[]}' }, {}, 'localai', 'installed'],
    ['llama-server', { '/v1/models': list, '/props': '{"default_generation_settings":{},"build_info":"b500"}' }, {}, 'llamacpp-server', 'loaded'],
    ['vLLM', { '/v1/models': list, '/version': '{"version":"0.11"}' }, {}, 'vllm', 'loaded'],
    ['anything else', { '/v1/models': list, '/health': '{"status":"ok"}' }, {}, 'openai-compatible', 'loaded'],
  ] as const)('of %s are not said to be resident because they are listed, where the engine loads on demand', async (_name, routes, headers, kind, state) => {
    const posts: string[] = [];
    const url = await serve((request, response) => {
      if (request.method !== 'GET') posts.push(request.url ?? '');
      const answers: Readonly<Record<string, string>> = routes;
      const answer = answers[request.url ?? ''];
      // LM Studio's way of saying 404, which must not pass for an answer.
      const body = answer ?? `{"error":"Unexpected endpoint or method. (GET ${String(request.url)})"}`;
      response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body);
    });
    const engine = engineAt(url);
    await engine.start();
    expect(engine.facts().kind).toBe(kind);
    for (const [, told] of states(await firstValueFrom(engine.models$))) expect(told).toBe(state);
    expect(posts).toEqual([]);

    const resident = engineAt(url, { resident: 'all' });
    await resident.start();
    for (const [, told] of states(await firstValueFrom(resident.models$))) expect(told).toBe('loaded');
    const partly = engineAt(url, { resident: ['other'] });
    await partly.start();
    for (const [, told] of states(await firstValueFrom(partly.models$))) expect(told).toBe('installed');
  });

  it('are looked at again when another engine takes the address', async () => {
    let version = false;
    const url = await serve((request, response) => {
      const path = request.url ?? '';
      if (path === '/v1/models') response.end(JSON.stringify({ data: [{ id: version ? 'two' : 'one' }] }));
      else if (path === '/api/version' && version) response.end('{"version":"0.33.0"}');
      else response.writeHead(404).end();
    });
    const engine = engineAt(url);
    await engine.start();
    expect(states(await firstValueFrom(engine.models$))).toEqual([['one', 'loaded']]);
    version = true;
    await eventually('the other engine is known', async () =>
      JSON.stringify(states(await firstValueFrom(engine.models$))) === '[["two","installed"]]',
    );
  });
});
