/**
 * Message threads: the official client sends new turns only, and its tool runner does so by default
 * (docs/reference/translation.md#message-threads).
 */
import Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { shareDeployment, shareRelay } from '../support/process/shared-deployment.js';
import type { RelayClient } from '../support/process/relay-client.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

interface Sent {
  readonly messages: readonly { readonly role: string }[];
  readonly thread?: { readonly type: string };
  readonly system?: unknown;
  readonly tools?: unknown;
}

/** A client and the bodies that it sends. */
function clientOf(relay: RelayClient, apiKey = relay.apiKey): { readonly client: Anthropic; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const client = new Anthropic({
    authToken: apiKey,
    apiKey: null,
    baseURL: relay.baseUrl,
    maxRetries: 0,
    fetch: (url, init) => {
      if (typeof init?.body === 'string') sent.push(JSON.parse(init.body) as Sent);
      return fetch(url, init);
    },
  });
  return { client, sent };
}

const summaryOf = (sent: readonly Sent[]) => sent.map(({ thread, messages }) => [thread?.type, messages.length]);
const ask = (content: string) => [{ role: 'user' as const, content }];
const base = { model: 'tiny', max_tokens: 100, temperature: 0 };

describe('the official client with a model that calls tools', () => {
  let client: Anthropic;
  let sent: Sent[];
  const cities: string[] = [];
  const weather = betaTool({
    name: 'get_weather',
    description: 'Get the weather for a city',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
    run: ({ city }) => {
      cities.push(city);
      return 'sunny, 21 degrees';
    },
  });
  const request = { ...base, tools: [weather], messages: ask('What is the weather in Paris?') };

  shareDeployment(({ relay }) => {
    ({ client, sent } = clientOf(relay));
  });

  beforeEach(() => {
    sent.length = 0;
    cities.length = 0;
  });

  it.each([false, true])('runs a tool and sends only its result after that (stream: %s)', async (stream) => {
    const message = await client.beta.messages.toolRunner({ ...request, stream }).runUntilDone();
    expect(cities).toEqual(['Paris']);
    expect(message).toMatchObject({ stop_reason: 'end_turn', content: [{ type: 'text' }] });
    expect(summaryOf(sent)).toEqual([
      ['create', 1],
      ['continue', 1],
    ]);
    expect(sent[1]).not.toHaveProperty('tools');
    // The model has read the call and its result: without a thread the response is the same.
    const whole = await client.beta.messages.toolRunner({ ...request, thread: false }).runUntilDone();
    expect(message.content).toEqual(whole.content);
    expect(message.usage.input_tokens + (message.usage.cache_read_input_tokens ?? 0)).toBe(
      whole.usage.input_tokens + (whole.usage.cache_read_input_tokens ?? 0),
    );
  });

  it('goes on for many turns, and from a copy of the conversation', async () => {
    const thread = client.beta.messages.thread({ ...base, system: 'Be kind.' });
    await thread.send(ask('Hello'));
    expect((await thread.send(ask('Count to 3'))).content).toMatchObject([{ text: '1, 2, 3' }]);
    expect((await thread.stream(ask('Count to 8')).finalMessage()).content).toMatchObject([
      { text: '1, 2, 3, 4, 5, 6, 7, 8' },
    ]);
    await thread.fork().send(ask('Count to 3'));
    expect(summaryOf(sent)).toEqual([
      ['create', 1],
      ['continue', 1],
      ['continue', 1],
      ['create', 7],
    ]);
    expect(sent[1]).not.toHaveProperty('system');
  });

  it('the official client with a model that calls tools is told what is wrong with fields that the thread keeps', async () => {
    const { id } = await client.beta.messages.create({ ...base, messages: ask('Hello'), thread: { type: 'create' } });
    const error: unknown = await client.beta.messages
      .create({
        ...base,
        system: 'Be brief.',
        messages: ask('And?'),
        thread: { type: 'continue', previous_message_id: id },
      })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ status: 400, error: { error: { details: { param: 'system' } } } });
  });
});

describe('a thread', () => {
  let relay: Tenant;
  let engine: FakeEngine;
  let node: TestNode;
  let client: Anthropic;
  let sent: Sent[];
  /** What the engine was sent, newest last. */
  const asked: FakeCall[] = [];

  shareRelay((tenant) => {
    relay = tenant;
    ({ client, sent } = clientOf(tenant));
  });

  beforeAll(async () => {
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
  }, 60_000);

  beforeEach(() => {
    sent.length = 0;
    asked.length = 0;
    engine.respond = responses;
  });

  const responses = (call: FakeCall): void => {
    asked.push(call);
    const text = `Answer ${String(asked.length)}.`;
    if (!call.streaming) {
      call.completion(text);
      return;
    }
    call.startStream();
    call.chunk({ content: text });
    call.finish();
  };
  const rolesRequested = (): unknown =>
    (asked.at(-1)?.body['messages'] as { role: string }[] | undefined)?.map(({ role }) => role);

  const begin = (by = client) =>
    by.beta.messages.create({ ...base, model: 'fake', messages: ask('Hello'), thread: { type: 'create' } });
  const goOn = (id: string, by = client) =>
    by.beta.messages.create({
      ...base,
      model: 'fake',
      messages: ask('And then?'),
      thread: { type: 'continue', previous_message_id: id },
    });
  const faultOf = async (work: PromiseLike<unknown>): Promise<unknown> => {
    const error = await Promise.resolve(work).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof Anthropic.APIError)) throw new Error(`not refused: ${String(error)}`);
    const { details } = (error.error as { error: { details: { error_code: string } } }).error;
    return [error.constructor.name, details.error_code];
  };

  it('gives the engine the whole conversation', async () => {
    const first = await begin();
    await goOn((await goOn(first.id)).id);
    expect(rolesRequested()).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
    expect(asked[2]!.body['messages']).toMatchObject([
      { content: 'Hello' },
      { content: 'Answer 1.' },
      { content: 'And then?' },
      { content: 'Answer 2.' },
      { content: 'And then?' },
    ]);
  });

  it('a thread is continued once from each answer', async () => {
    const { id } = await begin();
    await goOn(id);
    expect(await faultOf(goOn(id))).toEqual(['ThreadAlreadyContinuedError', 'thread_already_continued']);
    expect(asked).toHaveLength(2);
  });

  it('a thread is continued by one request at a time, and again after one that failed', async () => {
    const { id } = await begin();
    let response = (): void => undefined;
    const arrived = engine.nextCall();
    engine.respond = (call) => {
      response = () => call.json(500, { error: { message: 'out of memory' } });
    };
    const slow = faultOf(goOn(id));
    await arrived;
    expect(await faultOf(goOn(id))).toEqual(['ThreadContinueInFlightError', 'thread_continue_in_flight']);
    response();
    expect(await slow).toEqual(['ServiceUnavailableError', 'engine_error']);
    engine.respond = responses;
    expect((await goOn(id)).content).toMatchObject([{ text: 'Answer 2.' }]);
  });

  it('a thread is continued again after a client that left', async () => {
    const { id } = await begin();
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'Half' });
    };
    const stream = await client.beta.messages.create({
      ...base,
      model: 'fake',
      stream: true,
      messages: ask('And then?'),
      thread: { type: 'continue', previous_message_id: id },
    });
    const call = engine.calls.at(-1)!;
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    await call.aborted;
    engine.respond = responses;
    let message: Anthropic.Beta.BetaMessage | undefined;
    // The node may not have heard yet that the engine was left.
    while (message === undefined) {
      message = await goOn(id).catch((error: unknown) => {
        if (error instanceof Anthropic.ThreadContinueInFlightError) return undefined;
        throw error;
      });
    }
    expect(rolesRequested()).toEqual(['user', 'assistant', 'user']);
  });

  it('belongs to the account, not to one of its keys', async () => {
    const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'other', scopes: ['inference'] });
    const other = clientOf(relay, key).client;
    const { id } = await begin();
    expect((await goOn(id, other)).content).toMatchObject([{ text: 'Answer 2.' }]);
  });

  it('a thread is not found by an id that is none, or whose message was not in a thread', async () => {
    const { id } = await begin();
    const plain = await client.messages.create({ ...base, model: 'fake', messages: ask('Hello') });
    const changed = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
    for (const other of ['msg_123', '', changed, plain.id, id.replace('msg_', 'resp_')])
      expect(await faultOf(goOn(other))).toEqual(['ThreadNotFoundError', 'thread_not_found']);
  });

  it('a thread is gone with its node, after which the client begins a new one by itself', async () => {
    const thread = client.beta.messages.thread({ ...base, model: 'fake' });
    const first = await thread.send(ask('Hello'));
    await node.process.stop();
    await node.run();
    expect(await faultOf(goOn(first.id))).toEqual(['ThreadNotFoundError', 'thread_not_found']);
    sent.length = 0;
    await thread.send(ask('And then?'));
    await thread.send(ask('And then?'));
    expect(summaryOf(sent)).toEqual([
      ['continue', 1],
      ['create', 3],
      ['continue', 1],
    ]);
    expect(rolesRequested()).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  }, 60_000);
});
