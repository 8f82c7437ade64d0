/** F23: one of three relays loses the bus and the database together, and gets both back (docs/reference/failures.md#faults). */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { printFigures } from '../faults/support/repetitions.js';
import { eventually } from '../support/clock/eventually.js';
import { dataOf, eventsOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { CutProxy } from '../support/network/cut-proxy.js';
import { TestNode } from '../support/process/test-node.js';
import { RelayCluster } from '../support/replicas/relay-cluster.js';
import type { RelayReplica } from '../support/replicas/relay-replica.js';

/** Instead of 30 s and five minutes: a key is looked up at each request, and is believed for so long without the database. */
const FRESH_MS = 0;
const STALE_MS = 25_000;
const FOUND_WITHIN_MS = 15_000;
/** As without the bus. */
const REVOKED_WITHIN_MS = 10_000;
const BACK_WITHIN_MS = 20_000;
const CONNECTED_WITHIN_MS = 40_000;

const question = { model: 'fake', stream: false, messages: [{ role: 'user', content: 'hi' }] };

describe.each(['half_open', 'pause', 'reset'] as const)('a relay that is cut off from all others (%s)', (how) => {
  const networks: CutProxy[] = [];
  let cluster: RelayCluster;
  let engine: FakeEngine;
  let node: TestNode;
  let cutOff: RelayReplica;

  beforeAll(async () => {
    cluster = await RelayCluster.start({
      env: { FERRY_KEY_CACHE_FRESH_MS: String(FRESH_MS), FERRY_KEY_CACHE_STALE_MS: String(STALE_MS) },
      ownEnv: async (index, nats, { env }) => {
        if (index !== 3) return {};
        const url = new URL(env['DATABASE_URL'] ?? '');
        const [toDatabase, toBus] = [await CutProxy.start(Number(url.port)), await CutProxy.start(nats.port)];
        networks.push(toDatabase, toBus);
        url.port = String(toDatabase.port);
        const bus = new URL(nats.address);
        bus.port = String(toBus.port);
        return { DATABASE_URL: url.href, NATS_URL: bus.href };
      },
    });
    cutOff = cluster.relays[2]!;
    engine = await FakeEngine.start();
    node = await TestNode.start(cluster.front, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 16 }],
    });
    for (const relay of cluster.relays)
      await eventually(`${relay.name} has a link`, () => relay.linkedNodes === 1, CONNECTED_WITHIN_MS);
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await (node as TestNode | undefined)?.stop();
    await (engine as FakeEngine | undefined)?.stop();
    await (cluster as RelayCluster | undefined)?.stop();
    await Promise.all(networks.map((network) => network.stop()));
  }, 120_000);

  const newKey = async (name: string): Promise<string> =>
    (await cluster.relays[0]!.manage<{ key: string }>('POST', '/keys', { name })).key;
  const statusAt = async (relay: RelayReplica, key: string): Promise<number> => {
    const response = await relay.chat(question, { headers: { authorization: `Bearer ${key}` } });
    await response.text();
    return response.status;
  };
  const degraded = (): Promise<string[]> =>
    Promise.all(cluster.relays.map(async (relay) => [...(await relay.degraded())].sort().join()));

  it('goes on with what it knows, for as long as a key is believed, and follows what was revoked when it is back', async () => {
    const [known, revoked, unknown] = [await newKey('known'), await newKey('revoked'), await newKey('unknown')];
    for (const key of [known, revoked]) expect(await statusAt(cutOff, key)).toBe(200);
    const arrived = engine.nextCall();
    const respondAtOnce = engine.respond;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'before' });
    };
    const stream = await cutOff.chat({ ...question, stream: true }, { headers: { authorization: `Bearer ${known}` } });
    const call = await arrived;
    engine.respond = respondAtOnce;

    for (const network of networks) network.cut(how);
    const cutAtMs = performance.now();
    await cluster.relays[0]!.manage('DELETE', '/keys/revoked');
    const statuses: Record<string, number[]> = { known: [], revoked: [], unknown: [] };
    const askAll = async (): Promise<void> => {
      const keys = Object.entries({ known, revoked, unknown });
      const responses = await Promise.all(
        keys.map(async ([name, key]) => [name, await statusAt(cutOff, key)] as const),
      );
      for (const [name, status] of responses) statuses[name]?.push(status);
    };
    await askAll();
    await eventually(
      'it says so, and the others do not',
      async () => (await degraded()).join(';') === ';;bus,database',
      FOUND_WITHIN_MS,
    );
    const foundMs = performance.now() - cutAtMs;
    await askAll();
    expect(performance.now() - cutAtMs).toBeLessThan(STALE_MS);
    // A revoked key works here although it does not elsewhere, one that was never used here does not, and nothing is a 500 or a 401.
    expect(statuses).toEqual({ known: [200, 200], revoked: [200, 200], unknown: [503, 503] });
    expect(await statusAt(cluster.relays[1]!, revoked)).toBe(401);
    const managed = await cutOff.fetch('/api/keys', {
      headers: { authorization: `Bearer ${cutOff.credentials.cli_token}` },
    });
    expect(managed.status).toBe(503);
    expect(await statusAt(cluster.relays[1]!, known)).toBe(200);

    call.chunk({ content: 'meanwhile' });
    call.finish();
    const events: string[] = [];
    for await (const { text } of eventsOf(stream)) events.push(text);
    expect(events.at(-1)).toBe('data: [DONE]');
    expect(JSON.stringify(dataOf(events.slice(0, -1)))).toMatch(/before.*meanwhile/);

    await delay(Math.max(0, STALE_MS + 1_000 - (performance.now() - cutAtMs)));
    expect(await Promise.all([known, revoked].map((key) => statusAt(cutOff, key)))).toEqual([503, 503]);

    for (const network of networks) network.heal();
    const healedAtMs = performance.now();
    const since = (): number => performance.now() - healedAtMs;
    await eventually(
      'the revoked key is refused',
      async () => (await statusAt(cutOff, revoked)) === 401,
      REVOKED_WITHIN_MS,
    );
    const revokedMs = since();
    await eventually(
      'all work fully',
      async () => (await degraded()).every((parts) => parts === '') && (await statusAt(cutOff, known)) === 200,
      BACK_WITHIN_MS,
    );
    printFigures(`F23 ${how}`, { found_ms: foundMs, revoked_ms: revokedMs, back_ms: since() });
    expect(await statusAt(cutOff, unknown)).toBe(200);
  }, 180_000);
});
