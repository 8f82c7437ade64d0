import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EngineHarness } from '../../../../test/support/engine/engine.harness.js';
import { EngineFailure, type EngineResponse, type EngineObject } from '../engine.js';
import type { OpenAiCompatibleEngine } from './openai-compatible-engine.js';
import { batchesOf } from '../../../../test/support/engine/response-batches.js';

let harness: EngineHarness;
beforeEach(() => {
  harness = new EngineHarness();
});
afterEach(() => harness.close());

const run = (
  engine: OpenAiCompatibleEngine,
  stream: boolean,
  signal = new AbortController().signal,
): Promise<EngineResponse> =>
  engine.run({
    route: 'chat',
    engineModel: 'fake',
    body: Buffer.from('{"model":"public","messages":[]}'),
    stream,
    signal,
  });

const failureOf = async (work: Promise<unknown>): Promise<EngineFailure> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EngineFailure);
  return error as EngineFailure;
};

const collect = async (response: EngineResponse): Promise<EngineObject[]> => {
  if (response.kind !== 'stream') throw new Error('not a stream');
  const chunks: EngineObject[] = [];
  for await (const batch of batchesOf(response.chunks)) chunks.push(...batch);
  return chunks;
};

describe('a call to an OpenAI-compatible engine', () => {
  it('sends a length, requests no compression, and changes only the model and the usage option', async () => {
    let seen: { headers: IncomingMessage['headers']; body: string; url: string | undefined } | undefined;
    const url = await harness.serve((request, response, body) => {
      seen = { headers: request.headers, body, url: request.url };
      response.end('data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\n');
    });
    await collect(await run(harness.engineAt(`${url}/v1/`, { apiKey: 'engine-key' }), true));
    expect(seen?.url).toBe('/v1/chat/completions');
    expect(seen?.body).toBe('{"stream":true,"stream_options":{"include_usage":true},"model":"fake","messages":[]}');
    expect(seen?.headers).toMatchObject({
      'content-length': String(seen?.body.length),
      'content-type': 'application/json',
      'accept-encoding': 'identity',
      authorization: 'Bearer engine-key',
    });
    for (const absent of ['transfer-encoding', 'expect', 'origin', 'cookie'])
      expect(seen?.headers).not.toHaveProperty(absent);
  });

  it('is made again without later system messages where the template refuses them, and from then on at once', async () => {
    const engine = await harness.fake();
    engine.respond = (call) => {
      if (call.raw.includes('"system"'))
        call.json(500, { error: { message: 'System message must be at the beginning.' } });
      else call.completion('seen');
    };
    const target = harness.engineAt(engine.url);
    const call = {
      route: 'chat' as const,
      engineModel: 'fake',
      body: Buffer.from('{"messages":[{"role":"system"}]}'),
      stream: false,
      signal: new AbortController().signal,
    };
    await failureOf(target.run(call));
    const other = { ...call, withoutLaterSystem: () => Buffer.from('{"messages":[{"role":"user"}]}') };
    for (const calls of [2, 1]) {
      engine.calls.length = 0;
      expect(await target.run(other)).toMatchObject({ kind: 'whole' });
      expect(engine.calls).toHaveLength(calls);
    }
  });

  it('sends a body of megabytes complete and with its length', async () => {
    const engine = await harness.fake();
    const content = Array.from({ length: 500_000 }, (_unused, index) => `word ${index}`).join(' ');
    const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }], model: 'public' }));
    const { signal } = new AbortController();
    await harness.engineAt(engine.url).run({ route: 'chat', engineModel: 'fake', body, stream: false, signal });
    expect(engine.calls[0]?.raw.toString() === body.toString().replace('"public"', '"fake"')).toBe(true);
  });

  it('returns the whole answer without streaming', async () => {
    const response = await run(harness.engineAt((await harness.fake()).url), false);
    expect(response).toMatchObject({ kind: 'whole', object: { usage: { total_tokens: 5 } } });
  });

  it('reuses a connection after a complete stream', async () => {
    const ports = new Set<number | undefined>();
    let ended: Promise<unknown> = Promise.resolve();
    const url = await harness.serve((request, response) => {
      ports.add(request.socket.remotePort);
      ended = once(response, 'finish');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n');
      setTimeout(() => response.end(), 5);
    });
    const engine = harness.engineAt(url);
    for (let index = 0; index < 3; index += 1) {
      await collect(await run(engine, true));
      await ended;
      // Until the end has been read.
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    expect(ports.size).toBe(1);
  });

  it.each([
    ['in prefill of a stream', true, false],
    ['in prefill of a whole answer', false, false],
    ['in the middle of a stream', true, true],
  ])('a call to an OpenAI-compatible engine is aborted within a second, %s', async (_when, stream, begun) => {
    const engine = await harness.fake();
    engine.respond = (call) => {
      if (!begun) return;
      call.startStream();
      call.chunk({ content: 'a' });
    };
    const arrived = engine.nextCall();
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const response = run(harness.engineAt(engine.url), stream, controller.signal);
    const reading = begun ? response.then(collect) : response;
    const outcome = reading.catch((error: unknown) => error);
    const call = await arrived;
    if (begun) await new Promise((resolve) => setTimeout(resolve, 50));
    const abortedAt = performance.now();
    controller.abort(reason);
    expect(await outcome).toBe(reason);
    expect((await call.aborted) - abortedAt).toBeLessThan(1_000);
  });

  it('closes the socket when the reader stops early', async () => {
    const engine = await harness.fake();
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
    };
    const arrived = engine.nextCall();
    const response = await run(harness.engineAt(engine.url), true);
    if (response.kind !== 'stream') throw new Error('not a stream');
    for await (const batch of batchesOf(response.chunks)) if (batch.length > 0) break;
    await (
      await arrived
    ).aborted;
  });
});

describe("an engine's error answer", () => {
  const responding = async (
    status: number,
    headers: Record<string, string>,
    body: string,
  ): Promise<OpenAiCompatibleEngine> =>
    harness.engineAt(await harness.serve((_request, response) => response.writeHead(status, headers).end(body)));
  const json = { 'content-type': 'application/json' };
  const recorded = (name: string): string => {
    const text = readFileSync(
      new URL(`../../../../test/fixtures/recordings/llama-server/${name}`, import.meta.url),
      'utf8',
    );
    return text.slice(text.indexOf('\r\n\r\n') + 4);
  };

  it.each([
    [
      'a recorded 400 of llama.cpp',
      400,
      json,
      recorded('chat-err-context.txt'),
      400,
      'engine_rejected_request',
      /exceeds the available context size/,
    ],
    [
      'a 404 with an error',
      404,
      json,
      '{"error":{"message":"model \\"x\\" not found"}}',
      404,
      'engine_rejected_request',
      /not found/,
    ],
    [
      'a 404 of a wrong address',
      404,
      { 'content-type': 'text/html' },
      '<html>Not Found</html>',
      503,
      'engine_error',
      /404/,
    ],
    ['a 413', 413, json, '{"error":"too large"}', 413, 'engine_rejected_request', /too large/],
    [
      'a 422 of FastAPI',
      422,
      json,
      '{"detail":[{"loc":["body"],"msg":"field required"}]}',
      400,
      'engine_rejected_request',
      /field required/,
    ],
    [
      'plain text with a 400',
      400,
      { 'content-type': 'text/plain' },
      'bad\u0007 request\nhere',
      400,
      'engine_rejected_request',
      /: bad request here$/,
    ],
    ['a 401', 401, json, '{"error":{"message":"no key"}}', 503, 'engine_error', /api_key_env/],
    ['a 403', 403, json, '{}', 503, 'engine_error', /api_key_env/],
    ['a redirect', 302, { location: 'http://169.254.169.254/' }, '', 503, 'engine_error', /redirect/],
    [
      'a recorded 500 of llama.cpp for an image',
      500,
      json,
      recorded('chat-err-image.txt'),
      400,
      'unsupported_capability',
      /image/,
    ],
    ['a recorded 500 of llama.cpp', 500, json, recorded('chat-err-badjson.txt'), 503, 'engine_error', /parse/],
    [
      'a web page with a 502',
      502,
      { 'content-type': 'text/html' },
      '<html><body>Bad Gateway</body></html>',
      503,
      'engine_error',
      /502 without/,
    ],
    [
      '200 and an error, as LM Studio',
      200,
      json,
      '{"error":"Unexpected endpoint or method. (POST /v1/chat/completions)"}',
      503,
      'engine_error',
      /Unexpected endpoint/,
    ],
    ['200 and a web page', 200, { 'content-type': 'text/html' }, '<html></html>', 503, 'engine_error', /not/],
    ['a compressed answer', 200, { ...json, 'content-encoding': 'gzip' }, 'xxxx', 503, 'engine_error', /encoding/],
    ['an empty 200', 200, json, '', 503, 'engine_error', /not|before the response was complete/],
  ] as const)('%s', async (_name, status, headers, body, expectedStatus, code, message) => {
    for (const stream of [true, false]) {
      const asked = run(await responding(status, headers, body), stream);
      // What a 200 is worth is seen when it is read.
      const { failure } = await failureOf(asked.then((response) => collect(response)));
      expect(failure).toMatchObject({ status: expectedStatus, code });
      expect(failure.message).toMatch(message);
    }
  });

  it('keeps the Retry-After of a 429, within a limit', async () => {
    const wait = async (header: string): Promise<number | null> =>
      (await failureOf(run(await responding(429, { ...json, 'retry-after': header }, '{}'), false))).failure
        .retry_after_seconds;
    expect(await wait('7')).toBe(7);
    expect(await wait('999999')).toBe(3_600);
    expect(await wait('Wed, 21 Oct 2026 07:28:00 GMT')).toBeNull();
  });

  it.each([
    ['no choices', '{"id":"x","choices":[]}'],
    ['an end that means giving up', '{"choices":[{"index":0,"message":{"content":"half"},"finish_reason":"abort"}]}'],
    ['no JSON', '{"choices":[{"logprobs":NaN}]}'],
  ])('a whole answer with %s is a failure', async (_name, body) => {
    expect((await failureOf(run(await responding(200, json, body), false))).failure.code).toBe('engine_error');
  });

  it('an engine that cannot be reached, or hangs up, is an engine_error', async () => {
    const gone = await harness.fake();
    const { url } = gone;
    await gone.stop();
    expect((await failureOf(run(harness.engineAt(url), false))).message).toContain('cannot be reached');
    const rude = await harness.fake();
    rude.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'a' });
      setTimeout(() => call.destroy(), 20);
    };
    expect((await failureOf(run(harness.engineAt(rude.url), true).then(collect))).message).toContain(
      'closed the connection',
    );
  });
});
