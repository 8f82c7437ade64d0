import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { cutTextOf } from '../../../test/support/client/event-stream.js';
import { eventually } from '../../../test/support/clock/eventually.js';
import { apiKey, InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';
import { account, clusterA, clusterB } from '../../../test/support/relay/routing-fleet.js';

const route = '/v1/chat/completions';
const requesting = { model: 'tiny', messages: [{ role: 'user', content: 'hi' }] };
const streaming = { ...requesting, stream: true };
const chunk = 'data: {"object":"chat.completion.chunk"}\n\n';

let app: InferenceApiHarness;

beforeEach(async () => {
  app = await InferenceApiHarness.start({
    FERRY_STREAM_COMMIT_MS: '100',
    FERRY_STREAM_HEARTBEAT_MS: '60000',
    FERRY_QUEUE_TIMEOUT_MS: '0',
  });
});

afterEach(async () => {
  await app.close();
});

const completed = (body: string) => (stream: (typeof app.streams)[number]) => {
  stream.ack().begin(Buffer.byteLength(body)).data(body).end();
};

describe('answers', () => {
  test('a whole answer is the JSON of the node, byte for byte', async () => {
    app.addNode('a');
    app.play(completed('{"object":"chat.completion","choices":[]}'));
    const response = await app.post(route, requesting);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-request-id')).toBe(app.streams[0]!.head.request_id);
    expect(await response.text()).toBe('{"object":"chat.completion","choices":[]}');
    expect(app.outcomes).toMatchObject([{ outcome: 'completed', model: 'tiny', keyPublicId: apiKey }]);
  });

  test('a stream is the events of the node, byte for byte', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin().data(chunk).data(`${chunk}data: [DONE]\n\n`).end();
    });
    const response = await app.post(route, streaming);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(await response.text()).toBe(`${chunk}${chunk}data: [DONE]\n\n`);
    await eventually('credit for what the client took', () => app.streams[0]!.credited === 2 * chunk.length + 14);
  });

  test('the node gets the body unchanged, unknown fields and spaces included', async () => {
    app.addNode('a');
    app.play(completed('{}'));
    const raw = '{ "model":"tiny",  "seed": 9223372036854775807, "messages":[{"role":"user","content":"hi"}] }';
    await app.post(route, raw, { 'openai-beta': 'b', cookie: 'secret' });
    expect(app.streams[0]!.body.toString()).toBe(raw);
    expect(app.streams[0]!.head).toMatchObject({
      public_model: 'tiny',
      stream: false,
      headers: { 'openai-beta': 'b' },
    });
    expect(JSON.stringify(app.streams[0]!.head)).not.toContain('secret');
  });

  test('a query string and a trailing slash change nothing', async () => {
    app.addNode('a');
    app.play(completed('{}'));
    expect((await app.post(`${route}/?beta=true`, requesting)).status).toBe(200);
  });
});

describe('refusals before a node is asked', () => {
  test('no node online is the literal 503', async () => {
    const response = await app.post(route, requesting);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(await response.text()).toBe('no node for user');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '3',
      'x-ferry-reason': 'no_node_online',
      'x-should-retry': 'true',
    });
    expect(app.outcomes).toMatchObject([{ outcome: 'rejected' }]);
  });

  test.each<[string, object, Record<string, string>, number, string, string | null]>([
    ['a malformed field', { ...requesting, messages: [] }, {}, 400, 'invalid_request', 'messages'],
    ['an unknown model', { ...requesting, model: 'nope' }, {}, 404, 'model_not_found', 'model'],
    ['a foreign cluster', requesting, { 'x-cluster-id': clusterB }, 404, 'cluster_not_found', null],
    ['a malformed cluster', requesting, { 'x-cluster-id': 'cl_!' }, 404, 'cluster_not_found', null],
    [
      'an image to a model without eyes',
      {
        ...requesting,
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: 'data:image/png;base64,AAAA' }] }],
      },
      {},
      400,
      'unsupported_capability',
      'messages[0].content[0]',
    ],
  ])('%s', async (_, body, headers, status, code, param) => {
    app.addNode('a');
    const response = await app.post(route, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      error: { code, param, type: expect.any(String) },
      request_id: expect.any(String),
    });
    expect(app.streams).toEqual([]);
  });

  test('the pinned cluster is served', async () => {
    app.addNode('a');
    app.play(completed('{}'));
    expect((await app.post(route, requesting, { 'x-cluster-id': clusterA })).status).toBe(200);
  });

  test('full nodes are 429 with Retry-After', async () => {
    app.addNode('a', { slots: 0 });
    const response = await app.post(route, requesting);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('2');
    expect(await response.json()).toMatchObject({ error: { code: 'capacity', type: 'rate_limit_error' } });
  });
});

describe('failures of nodes and engines', () => {
  test("an engine's refusal keeps its status and message", async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().end('failed', { code: 'engine_rejected_request', status: 400, message: 'context length exceeded' });
    });
    const response = await app.post(route, streaming);
    expect(response.status).toBe(400);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({
      error: { message: 'context length exceeded', type: 'invalid_request_error', code: 'engine_rejected_request' },
    });
  });

  test('a node lost before the first event is 503 in JSON, not to be repeated', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().lose();
    });
    const response = await app.post(route, streaming);
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { code: 'node_disconnected', type: 'server_error' } });
  });

  test('a node lost midway cuts the stream after an error, without [DONE]', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin().data(chunk).lose();
    });
    const text = await cutTextOf(await app.post(route, streaming));
    expect(text.startsWith(chunk)).toBe(true);
    expect(JSON.parse(text.slice(chunk.length + 'data: '.length))).toEqual({
      error: {
        message: 'The serving computer disconnected.',
        type: 'server_error',
        param: null,
        code: 'node_disconnected',
      },
    });
    expect(text).not.toContain('[DONE]');
  });

  test('a node lost inside an event breaks the connection', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin().data('data: {"half', false);
      setTimeout(() => {
        stream.lose();
      }, 50);
    });
    const response = await app.post(route, streaming);
    await expect(response.text()).rejects.toThrow();
  });

  test('failures of nodes and engines after a long silence the headers are sent, and a second run still answers', async () => {
    app.addNode('a');
    app.addNode('b');
    app.play((stream) => {
      if (app.streams.length === 2) {
        stream.ack().begin().data(`${chunk}data: [DONE]\n\n`).end();
        return;
      }
      stream.ack();
      setTimeout(() => {
        stream.lose();
      }, 300);
    });
    const response = await app.post(route, streaming);
    expect(await response.text()).toBe(`: keep-alive\n\n${chunk}data: [DONE]\n\n`);
    expect(app.outcomes).toMatchObject([{ outcome: 'completed', retried: true, attempts: 2 }]);
  });
});

describe('cancellation', () => {
  test.each([
    ['a stream', streaming],
    ['a whole answer', requesting],
  ])('a client that leaves %s in prefill stops the node', async (_, body) => {
    app.addNode('a');
    const client = new AbortController();
    app.play((stream) => {
      stream.ack();
      client.abort();
    });
    await expect(app.post(route, body, {}, client.signal)).rejects.toThrow();
    await eventually('the node is told', () => app.streams[0]!.resets[0] === 'cancelled', 1_000);
    expect(app.outcomes).toMatchObject([{ outcome: 'cancelled' }]);
  });

  test('revoking the key ends its running streams', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin().data(chunk);
      app.revocations.announce({ accountId: account, keyPublicId: apiKey });
    });
    const text = await cutTextOf(await app.post(route, streaming));
    expect(text).toContain('"code":"invalid_credential"');
    expect(app.streams[0]!.resets).toEqual(['revoked']);
    expect((await app.post(route, streaming)).status).toBe(401);
  });

  test('a draining relay lets running streams finish, refuses new requests, and ends empty', async () => {
    app.addNode('a', { slots: 2 });
    app.play((stream) => {
      stream.ack().begin().data(chunk);
    });
    const running = await app.post(route, streaming);
    const drained = app.drain.drain({ timeoutMs: 10_000, onProblem: () => undefined });
    const refused = await app.post(route, streaming);
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ error: { code: 'draining' } });
    app.streams[0]!.data('data: [DONE]\n\n').end();
    expect(await running.text()).toBe(`${chunk}data: [DONE]\n\n`);
    await drained;
  });

  test('streams at the drain deadline end with an error', async () => {
    app.addNode('a');
    app.play((stream) => {
      stream.ack().begin().data(chunk);
    });
    const running = await app.post(route, streaming);
    await app.drain.drain({ timeoutMs: 50, onProblem: () => undefined });
    const text = await cutTextOf(running);
    expect(text).toContain('"code":"draining"');
    expect(text).not.toContain('[DONE]');
    expect(app.streams[0]!.resets).toEqual(['draining']);
  });
});
