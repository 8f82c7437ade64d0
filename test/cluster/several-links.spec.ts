/** One node with a link to each of two relays on one Postgres database (docs/internals/link-protocol.md#7-several-replicas). */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { allEvents } from '../support/client/event-stream.js';
import { FakeEngine, type FakeCall } from '../support/engine/fake-engine.js';
import { ferry, FerryProcess } from '../support/process/ferry-process.js';
import { RelayPair } from '../support/process/relay-pair.js';
import { TestNode } from '../support/process/test-node.js';
import type { TestRelay } from '../support/process/test-relay.js';
import { AnnouncedReplicas } from '../support/replicas/announced-replicas.js';

const SLOTS = 2;
const hello = { model: 'fake', messages: [{ role: 'user', content: 'hi' }] };

interface NodeRecord {
  readonly node_id: string;
  readonly online: boolean;
  readonly engines: readonly { readonly slots_used: number | null }[];
}

describe('a node of two relays on one database', () => {
  let sent: AnnouncedReplicas;
  let relays: RelayPair;
  let engine: FakeEngine;
  let node: TestNode;
  /** Requests that the engine runs now, and the most that it ever ran at once. */
  const running = new Set<FakeCall>();
  let most = 0;

  const recordAt = async (relay: TestRelay): Promise<NodeRecord | undefined> =>
    (await relay.manage<{ data: NodeRecord[] }>('GET', '/nodes')).data[0];
  const onlineAt = async (relay: TestRelay): Promise<boolean> => (await recordAt(relay))?.online === true;
  const usedAt = async (relay: TestRelay): Promise<number | null | undefined> =>
    (await recordAt(relay))?.engines[0]?.slots_used;

  /** A stream that runs until the test finishes its call. */
  const begin = async (relay: TestRelay): Promise<{ call: FakeCall; events: Promise<string[]> }> => {
    const arrived = engine.nextCall();
    const response = relay.chat({ ...hello, stream: true });
    return { call: await arrived, events: response.then(allEvents) };
  };

  const hold = (call: FakeCall): void => {
    if (!call.streaming) {
      call.completion('Hello.');
      return;
    }
    running.add(call);
    most = Math.max(most, running.size);
    void call.aborted.then(() => running.delete(call));
    call.startStream();
    call.chunk({ role: 'assistant', content: 'Hello' });
  };

  const finish = (call: FakeCall): void => {
    running.delete(call);
    call.finish();
  };

  beforeAll(async () => {
    sent = await AnnouncedReplicas.create();
    relays = await RelayPair.start(sent.env);
    await sent.tell(2, [relays.first.baseUrl, relays.second.baseUrl]);
    engine = await FakeEngine.start();
    engine.respond = hold;
    node = await TestNode.start(relays.first, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: SLOTS }],
    });
    await eventually('the node is online at the second relay', () => onlineAt(relays.second), 20_000);
  }, 120_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await relays.stop();
    await sent.remove();
  }, 60_000);

  it('serves the requests of both, in as many slots as it has', async () => {
    for (const relay of [relays.first, relays.second]) {
      const response = await relay.chat(hello);
      expect(response.status).toBe(200);
    }
    const first = await begin(relays.first);
    const second = await begin(relays.second);
    for (const relay of [relays.first, relays.second])
      await eventually('both relays count both requests', async () => (await usedAt(relay)) === SLOTS, 5_000);

    // One waits at each relay. Neither is rejected, and none reaches the engine.
    const calls = engine.calls.length;
    const waiting = [relays.first, relays.second].map((relay) =>
      relay.chat({ ...hello, stream: true }).then(allEvents),
    );
    await delay(1_000);
    expect(engine.calls).toHaveLength(calls);

    // A slot that one relay frees is taken within half a second, whichever relay waits for it.
    for (let freed = 0; freed < 2; freed += 1) {
      const arrived = engine.nextCall();
      const startedMs = performance.now();
      finish(freed === 0 ? first.call : second.call);
      await arrived;
      expect(performance.now() - startedMs).toBeLessThan(500);
    }
    for (const call of [...running]) finish(call);
    const streams = await Promise.all([first.events, second.events, ...waiting]);
    expect(streams.map((events) => events.at(-1))).toEqual(Array.from({ length: 4 }, () => 'data: [DONE]'));
    expect(most).toBe(SLOTS);
  }, 60_000);

  it('finishes every request when both relays have more than it can run at once', async () => {
    const responded = await Promise.all(
      Array.from({ length: 60 }, async (_unused, index) => {
        const relay = index % 2 === 0 ? relays.first : relays.second;
        const arrived = engine.nextCall().then(async (call) => {
          await delay(20);
          finish(call);
        });
        const response = await relay.chat({ ...hello, stream: true });
        const events = await allEvents(response);
        await arrived;
        return [response.status, events.at(-1)];
      }),
    );
    expect(responded).toEqual(Array.from({ length: 60 }, () => [200, 'data: [DONE]']));
    expect(most).toBe(SLOTS);
  }, 60_000);

  it('stays online at one when the other is killed, and returns to it', async () => {
    const kept = await begin(relays.first);
    const lost = await begin(relays.second);
    lost.events.catch(() => undefined);
    await relays.second.process.stop('SIGKILL');
    await lost.call.aborted;
    await sent.tell(1, [relays.first.baseUrl]);
    const ends = performance.now() + 3_000;
    while (performance.now() < ends) {
      expect(await onlineAt(relays.first)).toBe(true);
      expect((await relays.first.chat(hello)).status).toBe(200);
      await delay(50);
    }
    finish(kept.call);
    expect((await kept.events).at(-1)).toBe('data: [DONE]');

    await relays.second.restart();
    await sent.tell(2, [relays.first.baseUrl, relays.second.baseUrl]);
    relays.first.credentials = { ...relays.second.credentials, base_url: relays.first.baseUrl };
    await eventually('the node is back at the second relay', () => onlineAt(relays.second), 30_000);
    expect((await relays.second.chat(hello)).status).toBe(200);
  }, 90_000);

  it('moves its requests to the other when one is stopped, and none fails', async () => {
    const running = await begin(relays.second);
    const failures: string[] = [];
    let stopped = false;
    const load = (async () => {
      while (!stopped) {
        const response = await relays.first.chat(hello);
        if (response.status !== 200) failures.push(`${response.status} ${await response.text()}`);
        else await response.body?.cancel();
      }
    })();
    const stopping = relays.second.process.stop('SIGTERM');
    await delay(500);
    finish(running.call);
    expect((await running.events).at(-1)).toBe('data: [DONE]');
    await stopping;
    stopped = true;
    await load;
    expect(failures).toEqual([]);
    expect(await onlineAt(relays.first)).toBe(true);
  }, 60_000);

  it('loses all its links to a newer process with its identity', async () => {
    await relays.second.restart();
    await sent.tell(2, [relays.first.baseUrl, relays.second.baseUrl]);
    relays.first.credentials = { ...relays.second.credentials, base_url: relays.first.baseUrl };
    await eventually('the node is back at the second relay', () => onlineAt(relays.second), 45_000);
    const copy = await mkdtemp(path.join(tmpdir(), 'ferry-copy-'));
    await cp(node.dataDirectory, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    const newer = FerryProcess.start(['node', 'run'], { ...node.env, FERRY_DATA_DIR: copy });
    const connectedOf = async (env: Record<string, string>): Promise<boolean> => {
      const shown = await ferry(['node', 'status', '--json'], env);
      return shown.code === 0 && (JSON.parse(shown.stdout) as { connected: boolean }).connected;
    };
    try {
      await eventually(
        'the older process has no link left',
        async () => (await connectedOf({ ...node.env, FERRY_DATA_DIR: copy })) && !(await connectedOf(node.env)),
        20_000,
      );
      await eventually(
        'the newer one serves both relays',
        async () => {
          const responses = await Promise.all([relays.first, relays.second].map((relay) => relay.chat(hello)));
          return responses.every(({ status }) => status === 200);
        },
        20_000,
      );
      expect(await connectedOf(node.env)).toBe(false);
    } finally {
      await newer.stop();
      await rm(copy, { recursive: true, force: true });
    }
  }, 120_000);
});
