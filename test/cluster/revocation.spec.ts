/** What is revoked at one relay ends at every other, without a bus between them (docs/reference/security.md). */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { RelayPair } from '../support/process/relay-pair.js';
import { TestNode } from '../support/process/test-node.js';
import { PASSWORD, Person } from '../support/relay/people.harness.js';

const WITHIN_MS = 10_000;
const EXTENSION_WITHIN_MS = 2_000;
const hello = { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] };

describe('a revocation at another relay', () => {
  let relays: RelayPair;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    relays = await RelayPair.start();
    engine = await FakeEngine.start();
    engine.respond = async (call) => {
      call.startStream();
      while (!call.gone) {
        call.chunk({ content: 'on and ' });
        await delay(20);
      }
    };
    node = await TestNode.start(relays.first, { engines: [{ kind: 'openai-compatible', base_url: engine.url }] });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relays.stop();
  }, 60_000);

  const newKey = async (name: string): Promise<string> =>
    (await relays.second.manage<{ key: string }>('POST', '/keys', { name })).key;

  /** All events, once the stream has ended. In an object, because a promise would be awaited with it. */
  interface OpenStream {
    readonly events: Promise<string[]>;
  }

  const streamWith = async (key: string): Promise<OpenStream> => {
    const arrived = engine.nextCall();
    const response = await relays.first.chat(hello, { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
    await arrived;
    return { events: allEvents(response) };
  };

  const statusWith = async (key: string): Promise<number> =>
    (await relays.first.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status;

  const signedIn = async (email: string): Promise<Person> => {
    const invite = await relays.second.manage<{ invite_token: string }>('POST', '/invites', { role: 'admin' });
    const person = new Person(relays.second.baseUrl);
    await person.call('POST', 'invites/accept', { token: invite.invite_token, email, password: PASSWORD });
    return person;
  };

  const feedOf = async ({ cookie }: Person, route: string): Promise<OpenStream> => {
    const response = await fetch(`${relays.first.baseUrl}/api/${route}`, { headers: { cookie: cookie ?? '' } });
    expect(response.status).toBe(200);
    return { events: allEvents(response) };
  };

  it('revoking a key, a session and a user at another relay ends streams, feeds and cached credentials', async () => {
    const key = await newKey('revoked');
    const kept = await newKey('kept');
    const revoked = await streamWith(key);
    const other = await streamWith(kept);
    const leaver = await signedIn('leaver@example.com');
    const disabled = await signedIn('disabled@example.com');
    const feed = await feedOf(leaver, 'events');
    const operations = await feedOf(leaver, 'operations/events');
    const feedOfDisabled = await feedOf(disabled, 'events');

    const startedMs = performance.now();
    await relays.second.manage('DELETE', '/keys/revoked');
    await leaver.call('POST', 'sign-out-everywhere', {});
    const users = await relays.second.manage<{ data: { user_id: string; email: string }[] }>('GET', '/users');
    const { user_id: id } = users.data.find(({ email }) => email === 'disabled@example.com')!;
    await relays.second.manage('PATCH', `/users/${id}`, { disabled: true });
    expect(dataOf(await revoked.events).at(-1)).toMatchObject({ error: { code: 'invalid_credential' } });
    const feeds = await Promise.all([feed.events, operations.events, feedOfDisabled.events]);
    expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS);
    for (const events of feeds) expect(events.at(-1)).toMatch(/^event: error\ndata: .*invalid_credential/);
    expect(await statusWith(key)).toBe(401);

    expect(await Promise.race([other.events, delay(200, 'runs')])).toBe('runs');
    await relays.second.manage('DELETE', '/keys/kept');
    await other.events;
  }, 60_000);

  it('an extension of the API that is switched at another relay is switched here within two seconds', async () => {
    const codeOf = async (): Promise<string> => {
      const response = await relays.first.fetch('/v1/models/absent');
      return ((await response.json()) as { error: { code: string } }).error.code;
    };
    expect(await codeOf()).toBe('route_not_found');
    for (const [enabled, code] of [
      [true, 'model_not_found'],
      [false, 'route_not_found'],
    ] as const) {
      await relays.second.manage('PATCH', '/extensions/model-by-id', { enabled });
      await eventually(`it answers ${code}`, async () => (await codeOf()) === code, EXTENSION_WITHIN_MS);
    }
  }, 60_000);

  it('revoking a paused node at another relay is followed by the relay that has its link', async () => {
    const id = await node.id();
    const statusOfChat = async (): Promise<number> => {
      const response = await relays.first.chat({ ...hello, stream: true });
      await response.body?.cancel();
      return response.status;
    };
    await relays.second.manage('POST', `/nodes/${id}/pause`);
    await eventually('it gets no requests', async () => (await statusOfChat()) === 503, WITHIN_MS);
    await relays.second.manage('POST', `/nodes/${id}/resume`);
    await eventually('it gets requests', async () => (await statusOfChat()) === 200, WITHIN_MS);

    const events = allEvents(await relays.first.chat(hello));
    const startedMs = performance.now();
    await relays.second.manage('DELETE', `/nodes/${id}`);
    expect(dataOf(await events).at(-1)).toMatchObject({ error: { code: 'node_disconnected' } });
    expect(performance.now() - startedMs).toBeLessThan(WITHIN_MS);
    await eventually('the node says that it was revoked', () => /revoked/i.test(node.process.stderr), WITHIN_MS);
  }, 60_000);
});
