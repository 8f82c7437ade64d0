/** F8: one of three relays is killed under load (docs/operate/scaling.md#when-something-fails). */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endsOf } from '../faults/support/history.js';
import { printFigures, repetitions, seed, seeded, below } from '../faults/support/repetitions.js';
import type { RelayReplica } from '../support/replicas/relay-replica.js';
import { ClusterHarness } from './support/cluster.harness.js';
import { SteadyLoad } from './support/steady-load.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 60);
const STREAMS_EACH = Number(process.env['FERRY_CLUSTER_STREAMS'] ?? 100);
const WORDS = 16;
const WORD_EVERY_MS = 500;
const BACK_WITHIN_MS = 30_000;

describe('three relays, of which one is killed', () => {
  let harness: ClusterHarness;

  beforeAll(async () => {
    harness = await ClusterHarness.start(NODES);
    harness.engine.behave = (run) => run.respond();
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await (harness as ClusterHarness | undefined)?.end();
  }, 120_000);

  const expectAllNodes = async (relay: RelayReplica): Promise<void> => {
    expect(relay.linkedNodes).toBe(NODES);
    expect(await harness.fleet.onlineAt(relay)).toBe(NODES);
  };

  it(
    'three relays, of which one is killed keep all nodes, answer everything at the others, and break only the streams of the killed one',
    async () => {
      const random = seeded(seed);
      const figures = { streams: 0, broken: 0, beside: 0, nodes_back_ms: 0 };
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        const victim = harness.relays[below(random, harness.relays.length)]!;
        const others = harness.relays.filter((relay) => relay !== victim);
        harness.engine.behave = (run) => run.tell(WORDS, WORD_EVERY_MS);
        const ofVictim = harness.clientOf(victim).many(STREAMS_EACH);
        const ofOthers = others.map((relay) => harness.clientOf(relay).many(STREAMS_EACH));
        await harness.untilStreamsRun(harness.relays.length * STREAMS_EACH);
        harness.engine.behave = (run) => run.tell(1, 0);

        const load = new SteadyLoad(others.map((relay) => harness.clientOf(relay)));
        await delay(below(random, 1_000));
        await harness.kill(victim);
        const broken = await ofVictim;
        for (const relay of others) await expectAllNodes(relay);
        const whole = (await Promise.all(ofOthers)).flat();
        for (const relay of others) await expectAllNodes(relay);
        const requests = await load.end();

        expect(endsOf(broken)).toEqual(new Set(['broken']));
        expect(endsOf(whole)).toEqual(new Set(['completed']));
        expect(endsOf(requests)).toEqual(new Set(['completed']));
        expect(requests.length).toBeGreaterThan(10);

        // nginx sends everything to those that are left.
        const throughFront = await harness.front.many(20);
        expect(endsOf(throughFront)).toEqual(new Set(['completed']));

        await harness.launch(victim);
        const launchedAtMs = performance.now();
        await harness.everyNodeIsLinkedTo(victim, BACK_WITHIN_MS);
        figures.nodes_back_ms = Math.max(figures.nodes_back_ms, performance.now() - launchedAtMs);
        expect(endsOf(await harness.clientOf(victim).many(20))).toEqual(new Set(['completed']));
        figures.streams += whole.length;
        figures.broken += broken.length;
        figures.beside += requests.length;
        await harness.expectSound();
        await harness.expectNothingHeld();
      }
      printFigures('F8', { repetitions, nodes: NODES, ...figures });
    },
    120_000 * repetitions,
  );
});
