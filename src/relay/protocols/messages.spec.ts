import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { HeadMessage } from '../../link/messages.js';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';
import { account } from '../../../test/support/relay/routing-fleet.js';
import { createAccountId, type NodeId } from '../../kernel/ids.js';
import { ResponseIds } from '../../kernel/response-id.js';

const route = '/v1/messages';
const requesting = { model: 'tiny', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }] };
const streaming = { ...requesting, stream: true };
const event = 'event: message_start\ndata: {"type":"message_start"}\n\n';
const stop = 'event: message_stop\ndata: {"type":"message_stop"}\n\n';

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

const addNode = (name = 'a'): void => {
  app.addNode(name, { models: [{ dialects: ['chat', 'messages'] }] });
};

describe('answers', () => {
  test('a whole answer is the JSON of the node, byte for byte', async () => {
    addNode();
    app.play((stream) => {
      stream.ack().begin(18).data('{"type":"message"}').end();
    });
    const response = await app.post(`${route}?beta=true`, requesting, {
      'anthropic-version': '1999-01-01',
      'anthropic-beta': 'everything',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('request-id')).toBe(app.streams[0]!.head.request_id);
    expect(await response.text()).toBe('{"type":"message"}');
    expect(app.streams[0]!.head).toMatchObject({
      dialect: 'messages',
      public_model: 'tiny',
      headers: { 'anthropic-version': '1999-01-01', 'anthropic-beta': 'everything' },
    });
  });

  test('a stream is the events of the node, byte for byte, and no [DONE]', async () => {
    addNode();
    app.play((stream) => {
      stream.ack().begin().data(event).data(stop).end();
    });
    const response = await app.post(route, streaming);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(event + stop);
  });

  test('while the node thinks, the client gets a ping', async () => {
    addNode();
    app.play((stream) => {
      stream.ack();
      setTimeout(() => {
        stream.begin().data(event).data(stop).end();
      }, 300);
    });
    const response = await app.post(route, streaming);
    expect(await response.text()).toBe(`event: ping\ndata: {"type":"ping"}\n\n${event}${stop}`);
  });

  test.each<[string, object, HeadMessage['translation'], string | null]>([
    ['a translated stream', streaming, { native: false, dropped: ['container'] }, 'translated; dropped=container'],
    ['a translated answer', requesting, { native: false, dropped: [] }, 'translated'],
    ['an answer of a node that does not say', requesting, null, null],
  ])('%s describes the routing of the request', async (_, body, translation, header) => {
    addNode();
    app.play((stream) => {
      stream.ack();
      stream.handler.onHead({
        status: 200,
        content_type: body === requesting ? 'application/json' : 'text/event-stream',
        content_length: body === requesting ? 2 : null,
        translation,
      });
      stream.data(body === requesting ? '{}' : event).end();
    });
    const response = await app.post(route, body);
    expect(response.status).toBe(200);
    expect(response.headers.get('x-ferry-translation')).toBe(header);
    await response.text();
  });
});

describe("refusals in Anthropic's format", () => {
  test.each<[string, object, Record<string, string>, number, string, object]>([
    [
      'a missing max_tokens',
      { ...requesting, max_tokens: undefined },
      {},
      400,
      'invalid_request_error',
      { error_code: 'invalid_request', param: 'max_tokens' },
    ],
    [
      'an image to a model without eyes',
      {
        ...requesting,
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 't',
                content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
              },
            ],
          },
        ],
      },
      {},
      400,
      'invalid_request_error',
      { error_code: 'unsupported_capability', param: 'messages[1].content[0].content[0]' },
    ],
    [
      'an unknown model',
      { ...requesting, model: 'nope' },
      {},
      404,
      'not_found_error',
      { error_code: 'model_not_found', param: 'model' },
    ],
    [
      'a malformed cluster',
      requesting,
      { 'x-cluster-id': 'cl_!' },
      404,
      'not_found_error',
      { error_code: 'cluster_not_found' },
    ],
  ])('%s', async (_, body, headers, status, type, details) => {
    addNode();
    const response = await app.post(route, body, headers);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type, message: expect.any(String), details },
      request_id: response.headers.get('request-id'),
    });
    expect(app.streams).toEqual([]);
  });

  test('broken JSON', async () => {
    addNode();
    const response = await app.post(route, '{"model":');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ type: 'error', error: { type: 'invalid_request_error' } });
  });

  test('a node that does not serve this protocol', async () => {
    app.addNode('a');
    const response = await app.post(route, requesting);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { details: { error_code: 'unsupported_capability' } } });
  });

  test('no node online is the literal 503 of all routes', async () => {
    const response = await app.post(route, requesting);
    expect(response.status).toBe(503);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(await response.text()).toBe('no node for user');
  });

  test('a full node', async () => {
    app.addNode('a', { slots: 0, models: [{ dialects: ['messages'] }] });
    const response = await app.post(route, requesting);
    expect(response.status).toBe(429);
    expect(await response.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
  });
});

describe('failures of nodes and engines', () => {
  test("an engine's refusal keeps its status and message", async () => {
    addNode();
    app.play((stream) => {
      stream.ack().end('failed', { code: 'engine_rejected_request', status: 400, message: 'context length exceeded' });
    });
    const response = await app.post(route, streaming);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'context length exceeded' },
    });
  });

  test('a node lost before the first event is 503, not to be repeated', async () => {
    addNode();
    app.play((stream) => {
      stream.ack().lose();
    });
    const response = await app.post(route, streaming);
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(await response.json()).toMatchObject({ error: { type: 'api_error' } });
  });

  test('a node lost midway ends the stream with an error event and nothing after it', async () => {
    addNode();
    app.play((stream) => {
      stream.ack().begin().data(event).lose();
    });
    const response = await app.post(route, streaming);
    const text = await response.text();
    expect(text.startsWith(`${event}event: error\ndata: `)).toBe(true);
    expect(JSON.parse(text.slice(event.length).split('data: ')[1] ?? '')).toEqual({
      type: 'error',
      error: {
        type: 'api_error',
        message: 'The serving computer disconnected.',
        details: { error_code: 'node_disconnected' },
      },
      request_id: response.headers.get('request-id'),
    });
  });
});

describe('a message thread', () => {
  const [here, there] = ['a'.repeat(32), 'b'.repeat(32)];
  const idOf = (name: string): NodeId => `nd_${name}` as NodeId;
  const continuing = (id: string): object => ({ ...requesting, thread: { type: 'continue', previous_message_id: id } });
  const responded = (): void => {
    app.play((stream) => {
      stream.ack().begin(18).data('{"type":"message"}').end();
    });
  };

  test('goes on at the node that has it, which was told the name of its answer', async () => {
    addNode(here);
    addNode(there);
    responded();
    await app.post(route, { ...requesting, thread: { type: 'create' } });
    const [first] = app.streams.splice(0);
    const id = String(first!.head.response_id);
    expect(new ResponseIds(app.secret, 'msg_').nodeOf(account, id)).toBe(idOf(first!.node));
    for (let turn = 0; turn < 3; turn += 1) expect((await app.post(route, continuing(id))).status).toBe(200);
    expect(app.streams.map(({ node }) => node)).toEqual([first!.node, first!.node, first!.node]);
    expect(app.streams.map(({ head }) => head.response_id)).not.toContain(id);
  });

  test('a message thread is the name of no other message', async () => {
    addNode();
    responded();
    await app.post(route, requesting);
    expect(app.streams[0]!.head.response_id).toBeNull();
  });

  test('a message thread that is not here is the same 404 whatever the reason, which names it for the SDKs', async () => {
    addNode(here);
    const ids = new ResponseIds(app.secret, 'msg_');
    const forgotten = ids.create(account, idOf(here));
    app.play((stream) => {
      stream.ack().end('failed', {
        code: 'invalid_request',
        status: 404,
        message: 'not in this memory',
        param: 'thread.previous_message_id',
        thread: 'not_found',
      });
    });
    const responses = new Set<string>();
    for (const id of [
      'msg_123',
      '',
      ids.create(createAccountId(), idOf(here)),
      ids.create(account, idOf(there)),
      new ResponseIds(app.secret).create(account, idOf(here)),
      forgotten,
    ]) {
      const response = await app.post(route, continuing(id));
      responses.add(JSON.stringify([response.status, { ...((await response.json()) as object), request_id: '' }]));
    }
    expect([...responses].map((text) => JSON.parse(text) as unknown)).toMatchObject([
      [
        404,
        {
          error: {
            type: 'not_found_error',
            details: { error_code: 'thread_not_found', param: 'thread.previous_message_id' },
          },
        },
      ],
    ]);
    expect(app.streams).toHaveLength(1);
  });

  test.each([
    ['already_continued', 'thread_already_continued'],
    ['continue_in_flight', 'thread_continue_in_flight'],
  ] as const)('a message thread that its node refuses as %s is 400 with the code of the SDKs', async (thread, code) => {
    addNode(here);
    app.play((stream) => {
      stream.ack().end('failed', { code: 'invalid_request', status: 400, message: '', thread });
    });
    const response = await app.post(route, continuing(new ResponseIds(app.secret, 'msg_').create(account, idOf(here))));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', details: { error_code: code } },
    });
  });

  test('a message thread that its node cannot keep makes the SDKs go on without one', async () => {
    addNode();
    app.play((stream) => {
      stream.ack().end('failed', { code: 'invalid_request', status: 400, message: '', param: 'thread' });
    });
    const response = await app.post(route, { ...requesting, thread: { type: 'create' } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { details: { error_code: 'thread_unsupported_request', unsupported: ['thread'] } },
    });
  });
});
