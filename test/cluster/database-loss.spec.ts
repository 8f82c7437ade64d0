/** F11: the database of three relays is killed, or frozen, and works again under load. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { printFigures, repetitions } from '../faults/support/repetitions.js';
import { ClusterHarness } from './support/cluster.harness.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 20);
const STREAMS_EACH = Number(process.env['FERRY_CLUSTER_STREAMS'] ?? 100);
const load = { each: STREAMS_EACH, words: 40, wordEveryMs: 500 };
/** Longer than keys count as fresh in the caches of the relays. */
const DOWN_MS = 10_000;
/** A frozen one: queries run into their timeout. */
const FOUND_WITHIN_MS = 15_000;
const BACK_WITHIN_MS = 5_000;

describe('three relays whose database fails', () => {
  let harness: ClusterHarness;

  beforeAll(async () => {
    harness = await ClusterHarness.start(NODES, { FERRY_KEY_CACHE_FRESH_MS: '1000' });
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await (harness as ClusterHarness | undefined)?.end();
  }, 120_000);

  const away = {
    killed: () => harness.cluster.database.stop(),
    frozen: () => harness.cluster.database.freeze(),
  };
  const back = {
    killed: () => harness.cluster.database.start(),
    frozen: () => harness.cluster.database.resume(),
  };

  it.each(['killed', 'frozen'] as const)(
    'three relays whose database fails serve known keys while it is %s, keep their nodes, and are complete again 5 s after it is back',
    async (how) => {
      const figures = { streams: 0, requests: 0, back_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const { streams, requests } = await harness.expectServedDuring(load, async () => {
          await away[how]();
          for (const relay of harness.relays)
            await eventually(
              `${relay.name} says so`,
              async () => (await relay.degraded()).includes('database'),
              FOUND_WITHIN_MS,
            );
          await delay(DOWN_MS);
          for (const relay of harness.relays) expect(relay.linkedNodes).toBe(NODES);
          await back[how]();
          const startedAtMs = performance.now();
          for (const relay of harness.relays)
            await eventually(
              `${relay.name} works fully`,
              async () => (await relay.degraded()).length === 0 && (await harness.fleet.onlineAt(relay)) === NODES,
              BACK_WITHIN_MS,
            );
          figures.back_ms = Math.max(figures.back_ms, performance.now() - startedAtMs);
        });
        figures.streams += streams;
        figures.requests += requests;
      }
      printFigures(`F11 ${how}`, { repetitions, nodes: NODES, ...figures });
    },
    120_000 * repetitions,
  );
});
