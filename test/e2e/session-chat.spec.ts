// Own relay: its settings allow one chat at a time.
/** `POST /api/chat`: the normal request path for a signed-in user, and its metering. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

interface Logged {
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const hello = { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] };

describe('chat of a signed-in user', () => {
  let relay: TestRelay;
  let engine: FakeEngine;
  let node: TestNode;
  let ada: Person;

  beforeAll(async () => {
    relay = await TestRelay.start({
      env: { FERRY_CHAT_CONCURRENCY_PER_USER: '1', FERRY_USAGE_FLUSH_MS: '50' },
    });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
    ada = await invite('ada@example.com');
  }, 60_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relay.stop();
  }, 30_000);

  async function invite(email: string): Promise<Person> {
    const { invite_token: token } = await relay.manage<{ invite_token: string }>('POST', '/invites', {
      role: 'member',
    });
    const person = new Person(relay.baseUrl);
    await person.call('POST', 'invites/accept', { token, email, password: PASSWORD, name: 'Ada' });
    return person;
  }

  const chat = (headers: Readonly<Record<string, string>>, body: object = hello, signal?: AbortSignal) =>
    fetch(`${relay.baseUrl}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  const asAda = (): Record<string, string> => ({ cookie: ada.cookie ?? '', 'sec-fetch-site': 'same-origin' });

  const logged = (id: string): Promise<Readonly<Record<string, unknown>>> =>
    eventually('the request is in the log', async () => {
      const { data } = await relay.manage<Logged>('GET', '/usage/requests');
      return data.find((row) => row['id'] === id);
    });

  it('ends at the engine, with the reason, when the session is ended elsewhere', async () => {
    const eve = await invite('eve@example.com');
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(30);
      }
    };
    const arrived = engine.nextCall();
    const response = await chat({ cookie: eve.cookie ?? '', 'sec-fetch-site': 'same-origin' });
    const events = allEvents(response);
    const call = await arrived;
    const elsewhere = new Person(relay.baseUrl);
    await elsewhere.call('POST', 'sign-in', { email: 'eve@example.com', password: PASSWORD });
    const { body } = await elsewhere.call('GET', 'sessions');
    const other = (body['data'] as { session_id: string; current: boolean }[]).find(({ current }) => !current);
    expect((await elsewhere.call('DELETE', `sessions/${other?.session_id ?? ''}`)).status).toBe(200);
    await call.aborted;
    expect((await events).at(-1)).toContain('invalid_credential');
  }, 30_000);

  it('streams, is metered once under the name of the user, and can be explained', async () => {
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ content: 'hello ' });
      call.chunk({ content: 'Ada' });
      call.finish();
    };
    const response = await chat(asAda());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const events = await allEvents(response);
    expect(JSON.stringify(dataOf(events))).toContain('hello ');
    expect(events.at(-1)).toContain('[DONE]');
    const id = response.headers.get('x-request-id') ?? '';
    expect(await logged(id)).toMatchObject({
      outcome: 'completed',
      dialect: 'chat',
      key_id: expect.stringMatching(/^usr_/),
      key_name: 'Website (Ada)',
      attempts: 1,
    });
    const { data } = await relay.manage<Logged>('GET', '/usage/requests');
    expect(data.filter((row) => row['id'] === id)).toHaveLength(1);
    expect((await ada.call('GET', `requests/${id}`)).body).toMatchObject({ id, outcome: 'completed' });
  }, 60_000);

  it('ends at the engine when the browser stops, and is logged as cancelled', async () => {
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(20);
      }
    };
    const arrived = engine.nextCall();
    const abort = new AbortController();
    const response = await chat(asAda(), hello, abort.signal);
    const call = await arrived;
    const second = await chat(asAda());
    expect(second.status).toBe(429);
    expect(await second.json()).toMatchObject({
      code: 'rate_limit_exceeded',
      detail: 'The limit of requests at once of this user is reached.',
    });
    abort.abort();
    await call.aborted;
    expect(await logged(response.headers.get('x-request-id') ?? '')).toMatchObject({ outcome: 'cancelled' });
  }, 60_000);

  it('answers failures as problems', async () => {
    const missing = await chat(asAda(), { ...hello, model: 'no such model' });
    expect(missing.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await missing.json()).toMatchObject({ status: 404, code: 'model_not_found' });
    expect((await chat(asAda(), { model: 'fake' })).status).toBe(400);
  });

  it('refuses API keys, other sites and anonymous callers', async () => {
    expect((await chat({ authorization: `Bearer ${relay.apiKey}` })).status).toBe(401);
    expect((await chat({ ...asAda(), 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await chat({ cookie: ada.cookie ?? '' })).status).toBe(403);
    expect((await chat({})).status).toBe(401);
  });
});
