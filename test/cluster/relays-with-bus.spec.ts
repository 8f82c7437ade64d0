/** What three relays tell each other over the bus: every request works at any of them. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents, dataOf } from '../support/client/event-stream.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { RelayGroup } from '../support/process/relay-group.js';
import { TestNode } from '../support/process/test-node.js';

const RELAYS = 3;

describe('three relays with a bus', () => {
  let group: RelayGroup;
  let engine: FakeEngine;
  let nodes: TestNode[];
  /** Answers of the engine do not end while it is true. */
  let endless = false;

  beforeAll(async () => {
    group = await RelayGroup.start(RELAYS, { FERRY_LINK_MAX_LINKS: '1' });
    await group.connected();
    engine = await FakeEngine.start();
    engine.answer = async (call) => {
      call.startStream();
      do {
        call.chunk({ content: 'on and ' });
        await delay(20);
      } while (endless && !call.gone);
      call.finish();
    };
    const engines = [{ kind: 'openai-compatible', base_url: engine.url }] as const;
    nodes = await Promise.all(group.relays.map((relay, at) => TestNode.start(relay, { name: `node${at}`, engines })));
  }, 180_000);

  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await engine.stop();
    await group.stop();
  }, 60_000);

  interface NewKey {
    readonly key: string;
    readonly name: string;
  }
  const newKey = (name: string, limits: object = {}): Promise<NewKey> =>
    group.at(0).manage<NewKey>('POST', '/keys', { name, limits });
  const chat = (at: number, { key }: NewKey): Promise<Response> =>
    group
      .at(at % RELAYS)
      .chat(
        { model: 'fake', stream: true, messages: [{ role: 'user', content: 'hi' }] },
        { headers: { authorization: `Bearer ${key}` } },
      );
  const statusOf = async (at: number, key: NewKey): Promise<number> => {
    const response = await chat(at, key);
    await response.text();
    return response.status;
  };

  it('admit 60 to 66 of 180 requests of a key with 60 a minute', async () => {
    const key = await newKey('sixty', { requests_per_minute: 60 });
    const startedMs = performance.now();
    const statuses: number[] = [];
    const client = async (at: number): Promise<void> => {
      for (let sent = 0; sent < 60; sent += 1) statuses.push(await statusOf(at, key));
    };
    await Promise.all([0, 1, 2].map(client));
    const refilled = Math.floor((performance.now() - startedMs) / 1_000);
    const admitted = statuses.filter((status) => status === 200).length;
    process.stdout.write(`${admitted} of ${statuses.length} admitted, ${refilled} of them refilled\n`);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(admitted).toBeGreaterThanOrEqual(60);
    expect(admitted - refilled).toBeLessThanOrEqual(66);
  }, 60_000);

  it('count running requests together', async () => {
    endless = true;
    const key = await newKey('two at once', { concurrency: 2 });
    const running = [await chat(0, key)];
    await delay(100);
    running.push(await chat(1, key));
    await delay(100);
    expect(running.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all([0, 1, 2].map((at) => statusOf(at, key)))).toEqual([429, 429, 429]);
    await delay(3_500);
    expect(await statusOf(2, key)).toBe(429);
    await running[0]?.body?.cancel();
    endless = false;
    await eventually('a place is free', async () => (await statusOf(2, key)) === 200, 2_000);
    await running[1]?.text();
  }, 60_000);

  it('end the streams of a revoked key within 2 s', async () => {
    endless = true;
    const key = await newKey('revoked');
    const streams = [0, 1, 2].map(async (at) => allEvents(await chat(at, key)));
    await delay(300);
    const startedMs = performance.now();
    await group.at(1).manage('DELETE', '/keys/revoked');
    for (const events of await Promise.all(streams))
      expect(dataOf(events).at(-1)).toMatchObject({ error: { code: 'invalid_credential' } });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    endless = false;
  }, 60_000);
});
