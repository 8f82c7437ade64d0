/** F10 and F19: the bus of three relays is killed or frozen under load (docs/operate/scaling.md#when-something-fails). */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { printFigures, repetitions } from '../faults/support/repetitions.js';
import { ClusterHarness } from './support/cluster.harness.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 60);
const STREAMS_EACH = Number(process.env['FERRY_CLUSTER_STREAMS'] ?? 100);
const KILLED_FOUND_WITHIN_MS = 2_000;
/** By pings: two to three intervals. */
const FROZEN_FOUND_WITHIN_MS = 10_000;
const FROZEN_MS = 20_000;
const BACK_WITHIN_MS = 5_000;
const REVOKED_WITHIN_MS = { bus: 2_000, poll: 10_000 };
/** Streams last longer than any outage here. */
const load = { each: STREAMS_EACH, words: 60, wordEveryMs: 500 };

describe('three relays whose bus fails', () => {
  let harness: ClusterHarness;

  beforeAll(async () => {
    harness = await ClusterHarness.start(NODES);
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await (harness as ClusterHarness | undefined)?.end();
  }, 120_000);

  /** Throws unless every relay is ready. */
  const degraded = async (): Promise<ReadonlySet<string>> =>
    new Set(await Promise.all(harness.relays.map(async (relay) => (await relay.degraded()).join())));

  const untilDegraded = async (parts: string, withinMs: number): Promise<number> => {
    const startedAtMs = performance.now();
    await eventually(
      `every relay is degraded by: ${parts}`,
      async () => [...(await degraded())].join(';') === parts,
      withinMs,
    );
    return performance.now() - startedAtMs;
  };

  const expectUnharmed = async (fault: () => Promise<void>): Promise<{ streams: number; requests: number }> => {
    const served = await harness.expectServedDuring(load, fault);
    for (const relay of harness.relays) expect(relay.linkedNodes).toBe(NODES);
    return served;
  };

  it(
    'three relays whose bus fails stay ready, and finish all streams and requests, when it is killed and started again',
    async () => {
      const figures = { streams: 0, requests: 0, found_ms: 0, back_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const { streams, requests } = await expectUnharmed(async () => {
          await harness.cluster.nats.kill();
          figures.found_ms = Math.max(figures.found_ms, await untilDegraded('bus', KILLED_FOUND_WITHIN_MS));
          await delay(3_000);
          await harness.cluster.nats.restart();
          figures.back_ms = Math.max(figures.back_ms, await untilDegraded('', BACK_WITHIN_MS));
        });
        figures.streams += streams;
        figures.requests += requests;
      }
      printFigures('F10 killed', { repetitions, nodes: NODES, ...figures });
    },
    120_000 * repetitions,
  );

  it(
    'three relays whose bus fails do the same when it is frozen for 20 s',
    async () => {
      const figures = { streams: 0, requests: 0, found_ms: 0, back_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const { streams, requests } = await expectUnharmed(async () => {
          harness.cluster.nats.freeze();
          const foundMs = await untilDegraded('bus', FROZEN_FOUND_WITHIN_MS);
          await delay(FROZEN_MS - foundMs);
          harness.cluster.nats.resume();
          figures.found_ms = Math.max(figures.found_ms, foundMs);
          figures.back_ms = Math.max(figures.back_ms, await untilDegraded('', BACK_WITHIN_MS));
        });
        figures.streams += streams;
        figures.requests += requests;
      }
      printFigures('F10 frozen', { repetitions, nodes: NODES, ...figures });
    },
    120_000 * repetitions,
  );

  const expectRevoked = async (withinMs: number): Promise<number> => {
    const [first] = harness.relays;
    const name = `revoked ${performance.now()}`;
    const { key } = await first!.manage<{ key: string }>('POST', '/keys', { name });
    const clients = harness.relays.map((relay) => harness.clientWithKey(relay, key));
    harness.engine.behave = (run) => run.tell(load.words, load.wordEveryMs);
    const streams = clients.map((client) => client.many(Math.ceil(STREAMS_EACH / 3)));
    await harness.untilStreamsRun(clients.length * Math.ceil(STREAMS_EACH / 3));
    const startedAtMs = performance.now();
    await first!.manage('DELETE', `/keys/${encodeURIComponent(name)}`);
    const ended = (await Promise.all(streams)).flat();
    const tookMs = performance.now() - startedAtMs;
    expect(tookMs).toBeLessThan(withinMs);
    expect(new Set(ended.map(({ end, code }) => `${end} ${code}`))).toEqual(new Set(['failed invalid_credential']));
    for (const relay of harness.relays) {
      const refused = await relay.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } });
      expect(refused.status).toBe(401);
    }
    await harness.expectSound();
    await harness.expectNothingHeld();
    return tookMs;
  };

  it(
    'three relays whose bus fails end what a revoked key runs at any of them within 2 s with the bus, and within 10 s without it',
    async () => {
      const figures = { with_bus_ms: 0, without_bus_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        figures.with_bus_ms = Math.max(figures.with_bus_ms, await expectRevoked(REVOKED_WITHIN_MS.bus));
        await harness.cluster.nats.kill();
        await untilDegraded('bus', KILLED_FOUND_WITHIN_MS);
        figures.without_bus_ms = Math.max(figures.without_bus_ms, await expectRevoked(REVOKED_WITHIN_MS.poll));
        await harness.cluster.nats.restart();
        await untilDegraded('', BACK_WITHIN_MS);
      }
      printFigures('F19', { repetitions, streams: STREAMS_EACH, ...figures });
    },
    60_000 * repetitions,
  );
});
