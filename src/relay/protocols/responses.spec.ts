import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { InferenceApiHarness } from '../../../test/support/relay/inference-api.harness.js';
import type { HarnessStream } from '../../../test/support/relay/harness-stream.js';
import { assertResponseStream, type ResponseEvent } from '../../../test/support/client/openresponses-schema.js';
import { account } from '../../../test/support/relay/routing-fleet.js';
import { formatEvent } from '../../dialects/responses/from-chat/event-log.js';
import { requestEcho, responseResource, type ResponseState } from '../../dialects/responses/resource.js';
import type { ContractDialect } from '../../kernel/dialect.js';
import { createAccountId, type NodeId } from '../../kernel/ids.js';
import { createItemId, ResponseIds } from '../../kernel/response-id.js';

const route = '/v1/responses';
const requesting = { model: 'tiny', input: 'hi', instructions: 'Be brief.' };
const streaming = { ...requesting, stream: true };
const speaking: { models: { dialects: ContractDialect[] }[] } = { models: [{ dialects: ['chat', 'responses'] }] };
/** What comes behind `nd_` in the id of a node. */
const [here, there] = ['a'.repeat(32), 'b'.repeat(32)];
const idOf = (name: string): NodeId => `nd_${name}` as NodeId;

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

const snapshot = (stream: HarnessStream, state: Partial<ResponseState> = {}) =>
  responseResource(requestEcho(JSON.parse(stream.body.toString()) as Record<string, unknown>), {
    id: String(stream.head.response_id),
    created_at: 1_763_640_000,
    completed_at: null,
    status: 'in_progress',
    incomplete_details: null,
    model: stream.head.public_model,
    output: [],
    error: null,
    usage: null,
    ...state,
  });

const beginning = (stream: HarnessStream): string =>
  formatEvent('response.created', { response: snapshot(stream) }, 0) +
  formatEvent('response.in_progress', { response: snapshot(stream) }, 1);

const completed = (stream: HarnessStream): void => {
  stream.ack().begin(2).data('{}').end();
};

const bodyOf = async (response: Response): Promise<Record<string, Record<string, unknown>>> =>
  (await response.json()) as Record<string, Record<string, unknown>>;

/** The stream as clients see it, by the published schema. */
const eventsOf = async (body: object): Promise<readonly ResponseEvent[]> => {
  const response = await app.post(route, body);
  expect(response.status).toBe(200);
  return assertResponseStream(await response.text());
};

describe('an answer', () => {
  test('gets an id for its node from the relay, and is the JSON of the node', async () => {
    app.addNode(here, speaking);
    app.play(completed);
    const response = await app.post(route, requesting);
    expect(await response.text()).toBe('{}');
    const { dialect, response_id: id, scope } = app.streams[0]!.head;
    expect([dialect, scope]).toEqual(['responses', account]);
    expect(id).toMatch(/^resp_a{32}[0-9a-f]{48}$/);
  });

  test('as a stream is the events of the node, byte for byte', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      const events =
        beginning(stream) +
        formatEvent('response.completed', { response: snapshot(stream, { status: 'completed' }) }, 2);
      stream.ack().begin().data(events).data('data: [DONE]\n\n').end();
    });
    const events = await eventsOf(streaming);
    expect(events.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'response.completed']);
  });
});

describe('a continuation', () => {
  const continueWith = async (fields: object): Promise<Response> => app.post(route, { ...requesting, ...fields });

  test('goes to the node in the id of the response', async () => {
    app.addNode(here, speaking);
    app.addNode(there, speaking);
    app.play(completed);
    for (const name of [here, there, here]) {
      const id = new ResponseIds(app.secret).create(account, idOf(name));
      expect((await continueWith({ previous_response_id: id })).status).toBe(200);
      expect((await continueWith({ input: [{ type: 'item_reference', id: createItemId('msg', id) }] })).status).toBe(
        200,
      );
      expect(app.streams.splice(0).map(({ node }) => node)).toEqual([name, name]);
    }
  });

  test('a continuation with an invalid id is the same 404 in every case', async () => {
    app.addNode(here, speaking);
    const ids = new ResponseIds(app.secret);
    const good = ids.create(account, idOf(here));
    app.play((stream) => {
      stream.ack().end('failed', { code: 'previous_response_not_found', status: 404, message: 'not in this memory' });
    });
    const responses = new Set<string>();
    for (const id of [
      'resp_123',
      `${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`,
      ids.create(createAccountId(), idOf(here)),
      ids.create(account, idOf(there)),
      // Known to the relay, and forgotten by its node.
      good,
    ]) {
      const response = await continueWith({ previous_response_id: id });
      const body = { ...(await bodyOf(response)), request_id: 'its own' };
      const ofRequest = ['x-request-id', 'request-id', 'date', 'keep-alive'];
      const headers = [...response.headers].filter(([name]) => !ofRequest.includes(name));
      responses.add(JSON.stringify({ status: response.status, body, headers }));
    }
    expect(responses.size).toBe(1);
    expect(JSON.parse([...responses][0]!)).toMatchObject({
      status: 404,
      body: { error: { type: 'not_found_error', code: 'previous_response_not_found', param: 'previous_response_id' } },
    });
    expect(app.streams).toHaveLength(1);
  });

  test('a continuation is not run elsewhere when its node is lost', async () => {
    app.addNode(here, speaking);
    app.addNode(there, speaking);
    app.play((stream) => {
      stream.ack().lose();
    });
    const response = await continueWith({
      previous_response_id: new ResponseIds(app.secret).create(account, idOf(here)),
    });
    expect(response.status).toBe(503);
    expect(await bodyOf(response)).toMatchObject({ error: { code: 'node_disconnected', type: 'server_error' } });
    expect(app.streams).toHaveLength(1);
  });
});

describe('a refusal', () => {
  test.each<[string, object, number, string, string]>([
    ['a malformed field', { ...requesting, input: 5 }, 400, 'invalid_request', 'invalid_request_error'],
    [
      'work in the background',
      { ...requesting, background: true },
      400,
      'unsupported_parameter',
      'invalid_request_error',
    ],
    ['an unknown model', { ...requesting, model: 'nope' }, 404, 'model_not_found', 'not_found_error'],
  ])('a refusal of %s has the types of OpenResponses', async (_, body, status, code, type) => {
    app.addNode(here, speaking);
    const response = await app.post(route, body);
    expect(response.status).toBe(status);
    expect(await bodyOf(response)).toMatchObject({ error: { code, type }, request_id: expect.any(String) });
  });

  test('a refusal of full nodes has Retry-After', async () => {
    app.addNode(here, { ...speaking, slots: 0 });
    const response = await app.post(route, requesting);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
    expect(await bodyOf(response)).toMatchObject({ error: { type: 'too_many_requests' } });
  });

  test('keeps its status as long as no event was sent', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      stream.ack().end('failed', { code: 'engine_rejected_request', status: 400, message: 'too long' });
    });
    expect((await app.post(route, streaming)).status).toBe(400);
  });
});

describe('a stream that fails', () => {
  const outcomes = (events: readonly ResponseEvent[]): ResponseEvent[] => events.slice(-2);

  test.each<[string, (stream: HarnessStream) => void, string]>([
    ['the node is lost', (stream) => stream.lose(), 'node_disconnected'],
    [
      'the engine fails',
      (stream) => stream.end('failed', { code: 'engine_error', message: 'out of memory' }),
      'engine_error',
    ],
  ])('ends when %s with error, response.failed, one [DONE]', async (_, fail, code) => {
    app.addNode(here, speaking);
    app.play((stream) => {
      const delta = { item_id: 'msg_1', output_index: 0, content_index: 0, delta: 'x'.repeat(5_000), logprobs: [] };
      stream
        .ack()
        .begin()
        .data(beginning(stream))
        .data(formatEvent('response.output_text.delta', delta, 2));
      fail(stream);
    });
    const events = await eventsOf(streaming);
    const [created] = events;
    const [error, failed] = outcomes(events);
    expect(error).toMatchObject({ type: 'error', sequence_number: 3, error: { code } });
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: 4,
      response: {
        ...(created!['response'] as object),
        status: 'failed',
        output: [],
        error: { code: 'server_error' },
        instructions: 'Be brief.',
      },
    });
  });

  test('ends the same way when only the headers were sent', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      stream.ack();
      setTimeout(() => {
        stream.end('failed', { code: 'engine_error', message: 'out of memory' });
      }, 300);
    });
    const events = await eventsOf(streaming);
    expect(events.map(({ type }) => type)).toEqual(['error', 'response.failed']);
    expect(events[1]).toMatchObject({
      response: {
        id: app.streams[0]!.head.response_id,
        model: 'tiny',
        instructions: 'Be brief.',
        status: 'failed',
      },
    });
  });

  test('a stream that fails is valid also when its first event was too long to keep', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      stream.ack().begin().data(beginning(stream)).lose();
    });
    const events = await eventsOf({ ...streaming, instructions: 'x'.repeat(70_000) });
    const [error, failed] = outcomes(events);
    expect(error).toMatchObject({ sequence_number: 2 });
    expect(failed).toMatchObject({ response: { id: app.streams[0]!.head.response_id, instructions: null } });
  });

  test('stays completed when only its transport end was lost', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      const response = snapshot(stream, { status: 'completed' });
      const end = `${formatEvent('response.completed', { response }, 2)}data: [DONE]\n\n`;
      stream.ack().begin().data(beginning(stream)).data(end).lose();
    });
    expect((await eventsOf(streaming)).at(-1)?.type).toBe('response.completed');
  });

  test('a stream that fails inside an event breaks the connection', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      stream.ack().begin().data(beginning(stream)).data('event: x\ndata: {"half', false);
      setTimeout(() => {
        stream.lose();
      }, 50);
    });
    const response = await app.post(route, streaming);
    await expect(response.text()).rejects.toThrow();
  });

  test('ends the same way when the relay shuts down', async () => {
    app.addNode(here, speaking);
    app.play((stream) => {
      stream.ack().begin().data(beginning(stream));
    });
    const running = eventsOf(streaming);
    while (app.streams.length === 0) await new Promise(setImmediate);
    await app.drain.drain({ timeoutMs: 50, onProblem: () => undefined });
    expect((await running).slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'draining' } },
      { type: 'response.failed' },
    ]);
  });
});
