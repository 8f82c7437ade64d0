// Own relay: its database is stopped.
/** The database of a running relay becomes unavailable and returns: known callers are served and streams continue. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCredential } from '../../src/kernel/credential.js';
import { eventually } from '../support/clock/eventually.js';
import { eventsOf } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';
import { stoppableDatabase, type StoppableDatabase } from '../support/db/stoppable-database.js';

const question = { model: 'fake', messages: [{ role: 'user', content: 'a question' }] };

describe('during a database outage', () => {
  let database: StoppableDatabase;
  let relay: TestRelay;
  let node: TestNode;
  let engine: FakeEngine;

  beforeAll(async () => {
    database = await stoppableDatabase();
    // Fresh for 0 ms: every request queries the database, so whatever works during the outage uses stale entries.
    const env = { ...database.env, FERRY_USAGE_FLUSH_MS: '50', FERRY_KEY_CACHE_FRESH_MS: '0' };
    relay = await TestRelay.start({ env, database: 'embedded' });
    engine = await FakeEngine.start();
    node = await TestNode.start(relay, { engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 4 }] });
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relay.stop();
    await database.remove();
  }, 60_000);

  const withKey = (key: string): Promise<Response> =>
    relay.chat({ ...question, stream: false }, { headers: { authorization: `Bearer ${key}` } });
  const readiness = async (): Promise<{ status: number; degraded: readonly string[] | undefined }> => {
    const response = await fetch(`${relay.baseUrl}/readyz`);
    const { degraded } = (await response.json()) as { degraded?: readonly string[] };
    return { status: response.status, degraded };
  };

  it('cached keys work, unknown ones get 503 instead of 401, and streams continue', async () => {
    process.stderr.write(`the outage is one of: ${database.kind}\n`);
    const { key: unseen } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'never used' });
    expect((await withKey(relay.apiKey)).status).toBe(200);

    let stream: FakeCall | undefined;
    const respondAtOnce = engine.respond;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'before' });
      stream = call;
    };
    const response = await relay.chat({ ...question, stream: true });
    const requestId = response.headers.get('x-request-id');
    const seen: string[] = [];
    const read = (async () => {
      for await (const { text } of eventsOf(response)) seen.push(text);
    })();
    await eventually('the stream has begun', () => seen.some((text) => text.includes('before')));
    engine.respond = respondAtOnce;

    await database.stop();
    // Known keys work, so the relay must stay in its load balancer.
    await eventually('the relay has noticed', async () => (await readiness()).degraded !== undefined, 30_000);
    expect(await readiness()).toEqual({ status: 200, degraded: ['database'] });

    // The stream is not affected.
    stream?.chunk({ content: 'meanwhile' });
    await eventually('the stream goes on', () => seen.some((text) => text.includes('meanwhile')));
    for (let round = 0; round < 3; round += 1) {
      expect((await withKey(relay.apiKey)).status).toBe(200);
      for (const key of [unseen, createCredential('api-key').text]) {
        const refused = await withKey(key);
        expect([refused.status, await refused.json()]).toMatchObject([503, { error: { code: 'overloaded' } }]);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      }
    }
    // Everything that needs no database is still reported.
    const malformed = await withKey('nonsense');
    expect([malformed.status, await malformed.text()]).toEqual([401, 'missing_or_malformed_credential']);
    const managed = await fetch(`${relay.baseUrl}/api/clusters`, {
      headers: { authorization: `Bearer ${relay.credentials.cli_token}` },
    });
    expect(managed.status).toBe(503);

    await database.start();
    await eventually('the relay is ready again', async () => (await readiness()).degraded === undefined, 30_000);
    expect((await withKey(unseen)).status).toBe(200);
    expect((await withKey(createCredential('api-key').text)).status).toBe(401);

    stream?.chunk({ content: 'after' });
    stream?.finish();
    await read;
    expect(seen.at(-1)).toBe('data: [DONE]');
    expect(seen.filter((text) => /before|meanwhile|after/.test(text))).toHaveLength(3);
    // Usage during the outage is not lost: it is written now.
    const log = await eventually('everything is metered', async () => {
      const { data } = await relay.manage<{ data: { id: string; outcome: string }[] }>('GET', '/usage/requests');
      return data.filter(({ outcome }) => outcome === 'completed').length >= 6 ? data : undefined;
    });
    expect(log.find(({ id }) => id === requestId)).toMatchObject({ outcome: 'completed' });
    expect(relay.process.running).toBe(true);
  }, 120_000);
});
