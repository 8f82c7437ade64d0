/**
 * F22: the database of three relays under ten writes each, through a network that pauses, goes half open, slows down and resets, and frozen itself.
 * `FERRY_FAULT_REPETITIONS` rounds of each.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { OutageLoad, outageEnv, type Area } from '../support/db/outage-load.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { CutProxy, cuts } from '../support/network/cut-proxy.js';
import { TestNode } from '../support/process/test-node.js';
import { RelayCluster } from '../support/replicas/relay-cluster.js';
import { printFigures, repetitions } from '../faults/support/repetitions.js';

const areas: readonly Area[] = ['management', 'inference'];
/** Longer than a query may take, 3 s, and an attempt to connect after it, 1.5 s; each round another phase of what repeats. */
const CUT_MS = 6_000;
const CUT_STEP_MS = 370;
const BACK_WITHIN_MS = 2_000;

describe('three relays whose database stops answering under writes', () => {
  const networks: CutProxy[] = [];
  let cluster: RelayCluster;
  let engine: FakeEngine;
  let node: TestNode;

  beforeAll(async () => {
    cluster = await RelayCluster.start({
      env: outageEnv,
      ownEnv: async (_index, _nats, { env }) => {
        const url = new URL(env['DATABASE_URL'] ?? '');
        const network = await CutProxy.start(Number(url.port));
        networks.push(network);
        url.port = String(network.port);
        return { DATABASE_URL: url.href };
      },
    });
    engine = await FakeEngine.start();
    node = await TestNode.start(cluster.front, {
      engines: [{ kind: 'openai-compatible', base_url: engine.url, slots: 16 }],
    });
  }, 240_000);

  afterAll(async () => {
    await node.stop();
    await engine.stop();
    await cluster.stop();
    await Promise.all(networks.map((network) => network.stop()));
  }, 120_000);

  const onAll = (change: (network: CutProxy) => void): Promise<void> => {
    networks.forEach(change);
    return Promise.resolve();
  };
  const ways = [
    ...cuts.map((how) => ({
      how,
      cut: () => onAll((network) => network.cut(how)),
      heal: () => onAll((network) => network.heal()),
    })),
    { how: 'frozen', cut: () => cluster.database.freeze(), heal: () => cluster.database.resume() },
  ] as const;

  it.each(ways)(
    'three relays whose database stops answering under writes answer no request with 500, and each works 2 s after it is over ($how)',
    async ({ how, cut, heal }) => {
      const loads = await Promise.all(
        cluster.relays.map((relay) => OutageLoad.start(relay, `${relay.name}-${how.replace('_', '-')}`)),
      );
      const each = async (what: string, isSo: (load: OutageLoad, area: Area) => boolean): Promise<void> => {
        for (const [index, load] of loads.entries())
          for (const area of areas)
            await eventually(`${area} of relay-${index + 1} ${what}`, () => isSo(load, area), 60_000);
      };
      let slowestMs = 0;
      try {
        for (let round = 0; round < repetitions; round += 1) {
          const beganAtMs = performance.now();
          await each('works', (load, area) => load.succeededAfter(beganAtMs, area).length > 5);
          await cut();
          await delay(CUT_MS + round * CUT_STEP_MS);
          await heal();
          const healedAtMs = performance.now();
          await each('is back', (load, area) => load.firstSuccessAfter(healedAtMs, area) !== undefined);
          // What was left in the connections shows in what is asked now.
          await each('goes on', (load, area) => load.succeededAfter(healedAtMs, area).length > 20);
          const figures: Record<string, number> = {};
          for (const [index, load] of loads.entries()) {
            figures[`relay-${index + 1} failed`] = load.failedAfter(beganAtMs).length;
            for (const area of areas) {
              const backMs = (load.firstSuccessAfter(healedAtMs, area) ?? Infinity) - healedAtMs;
              figures[`relay-${index + 1} ${area}_ms`] = backMs;
              slowestMs = Math.max(slowestMs, backMs);
            }
          }
          printFigures(`F22 ${how} round ${round + 1}`, figures);
        }
      } finally {
        await Promise.all(loads.map((load) => load.end()));
        for (const load of loads) await load.removeClusters();
      }
      const statuses: Record<string, number> = {};
      for (const { summary } of loads)
        for (const [name, count] of Object.entries(summary.statuses)) statuses[name] = (statuses[name] ?? 0) + count;
      printFigures(`F22 ${how}`, { repetitions, slowest_back_ms: slowestMs, ...statuses });
      expect(loads.flatMap(({ summary }) => summary.unexpected)).toEqual([]);
      expect(slowestMs).toBeLessThan(BACK_WITHIN_MS);
    },
    180_000 * repetitions,
  );
});
