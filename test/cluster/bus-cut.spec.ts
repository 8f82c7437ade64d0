/** F12: one of three relays is cut off from the bus only, and sees nothing of the others (docs/operate/scaling.md#when-something-fails). */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultProxy } from '../faults/support/fault-proxy.js';
import { printFigures, repetitions } from '../faults/support/repetitions.js';
import { eventually } from '../support/clock/eventually.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import { ClusterHarness } from './support/cluster.harness.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 20);
const STREAMS_EACH = Number(process.env['FERRY_CLUSTER_STREAMS'] ?? 50);
const load = { each: STREAMS_EACH, words: 60, wordEveryMs: 500 };
/** By pings: two to three intervals. */
const FOUND_WITHIN_MS = 10_000;
const CUT_MS = 5_000;
const HEALED_WITHIN_MS = 20_000;
/** Nodes follow a change of the number of relays within 30 s. */
const CONNECTED_WITHIN_MS = 40_000;
const OLDER_GONE_WITHIN_MS = 2_000;

describe('three relays, of which one is cut off from the bus', () => {
  const cutOff = 2;
  let way: FaultProxy;
  let harness: ClusterHarness;
  let older: { readonly engine: FakeEngine; readonly node: TestNode };

  beforeAll(async () => {
    const proxies: FaultProxy[] = [];
    harness = await ClusterHarness.start(NODES, {}, async (index, nats) => {
      if (index !== cutOff + 1) return {};
      proxies.push(await FaultProxy.start(nats.port));
      return { NATS_URL: proxies[0]!.url.replace('http', 'nats') };
    });
    way = proxies[0]!;
    const engine = await FakeEngine.start({ models: ['twin'] });
    const engines = [{ kind: 'openai-compatible', base_url: engine.url }] as const;
    older = { engine, node: await TestNode.start(harness.cluster.front, { name: 'twin', engines }) };
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    const started = older as typeof older | undefined;
    await started?.node.stop();
    await started?.engine.stop();
    await (harness as ClusterHarness | undefined)?.end();
    await (way as FaultProxy | undefined)?.stop();
  }, 120_000);

  const degraded = (): Promise<string[]> =>
    Promise.all(harness.relays.map(async (relay) => (await relay.degraded()).join()));
  const cutAndFound = async (): Promise<void> => {
    way.blackhole();
    await eventually(
      'the relay says so, and the others do not',
      async () => (await degraded()).join(';') === ';;bus',
      FOUND_WITHIN_MS,
    );
  };
  const healed = async (): Promise<number> => {
    way.heal();
    const startedAtMs = performance.now();
    const seen = async (): Promise<boolean> =>
      (await degraded()).every((parts) => parts === '') &&
      (await Promise.all(harness.relays.map((relay) => harness.fleet.onlineAt(relay)))).every((on) => on > NODES);
    await eventually('all relays work fully', seen, HEALED_WITHIN_MS);
    return performance.now() - startedAtMs;
  };

  it(
    'three relays, of which one is cut off from the bus serve all requests and streams with their own nodes, and know each other again within 20 s',
    async () => {
      const figures = { streams: 0, requests: 0, healed_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const { streams, requests } = await harness.expectServedDuring(load, async () => {
          await cutAndFound();
          await delay(CUT_MS);
          figures.healed_ms = Math.max(figures.healed_ms, await healed());
        });
        figures.streams += streams;
        figures.requests += requests;
      }
      printFigures('F12', { repetitions, nodes: NODES, ...figures });
    },
    120_000 * repetitions,
  );

  it('three relays, of which one is cut off from the bus send nothing to an older process of a node, once a newer one is connected', async () => {
    const copy = await mkdtemp(path.join(tmpdir(), 'ferry-copy-'));
    await cp(older.node.dataDirectory, copy, { recursive: true, filter: (file) => !file.endsWith('.sock') });
    const engine = await FakeEngine.start({ models: ['twin'] });
    const engines = [{ kind: 'openai-compatible', base_url: engine.url }];
    await writeFile(path.join(copy, 'node/engines.json'), JSON.stringify({ engines }));
    const statusAt = async (at: number): Promise<number> => {
      const response = await harness.relays[at]!.chat({ model: 'twin', messages: [{ role: 'user', content: 'hi' }] });
      await response.text();
      return response.status;
    };
    const newerServes = (at: number) => async (): Promise<boolean> => {
      const before = engine.calls.length;
      return (await statusAt(at)) === 200 && engine.calls.length > before;
    };
    await cutAndFound();
    const newer = FerryProcess.start(['node', 'run'], { ...older.node.env, FERRY_DATA_DIR: copy });
    try {
      await eventually('a relay uses the newer process', newerServes(0), CONNECTED_WITHIN_MS);
      await delay(OLDER_GONE_WITHIN_MS);
      const servedByOlder = older.engine.calls.length;
      // Nodes that start meanwhile are not told of the relay that is cut off: it may have no link to the newer process.
      for (let request = 0; request < 10; request += 1) expect([200, 503]).toContain(await statusAt(cutOff));
      expect(older.engine.calls.length).toBe(servedByOlder);
      await healed();
      await eventually('the relay that was cut off uses it, too', newerServes(cutOff), CONNECTED_WITHIN_MS);
      expect(older.engine.calls.length).toBe(servedByOlder);
    } finally {
      await newer.stop();
      await engine.stop();
      await rm(copy, { recursive: true, force: true });
      way.heal();
    }
  }, 120_000);
});
