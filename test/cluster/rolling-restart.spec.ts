/** F9: three relays are restarted one after the other while requests run at all of them and through nginx. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { timeFactor } from '../runner/time-factor.js';
import { printFigures, repetitions } from '../faults/support/repetitions.js';
import { ClusterHarness } from './support/cluster.harness.js';
import { SteadyLoad } from './support/steady-load.js';

const NODES = Number(process.env['FERRY_CLUSTER_NODES'] ?? 20);
const CLIENTS = 20;
/** Streams of 0.2 s, 1 s and 3 s: all are shorter than the grace, also on a busy computer, where they take longer. */
const GRACE_MS = Math.round(5_000 * timeFactor);
const NOTICE_MS = 500;
const LENGTHS = [2, 10, 30];
const WORD_EVERY_MS = 100;

describe('three relays, of which one after the other is restarted under load', () => {
  let harness: ClusterHarness;

  beforeAll(async () => {
    harness = await ClusterHarness.start(NODES, {
      FERRY_DRAIN_TIMEOUT_MS: String(GRACE_MS),
      FERRY_DRAIN_NOTICE_MS: String(NOTICE_MS),
      // The default, which a relay counts from its start: until then requests wait for nodes that return.
      FERRY_NODES_RETURN_WAIT_MS: String(Math.round(5_000 * timeFactor)),
    });
  }, 240_000);

  afterAll(async () => {
    // Undefined where it did not start.
    await (harness as ClusterHarness | undefined)?.end();
  }, 120_000);

  it(
    'three relays, of which one after the other is restarted under load fail no request',
    async () => {
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        let asked = 0;
        harness.engine.behave = (run) => run.tell(LENGTHS[(asked += 1) % LENGTHS.length]!, WORD_EVERY_MS);
        const load = new SteadyLoad(Array.from({ length: CLIENTS }, () => harness.front));
        for (const relay of harness.relays) {
          await delay(1_000);
          await harness.stop(relay);
          await harness.launch(relay);
          await harness.everyNodeIsLinkedTo(relay, 60_000);
        }
        const requests = await load.end();
        expect(requests.filter(({ end }) => end !== 'completed')).toEqual([]);
        printFigures('F9', { requests: requests.length });
        await harness.expectSound();
        await harness.expectNothingHeld();
      }
    },
    180_000 * repetitions,
  );

  it('end streams that are longer than the grace with an error event', async () => {
    harness.engine.behave = (run) => run.tell(1_000, WORD_EVERY_MS);
    const [relay] = harness.relays;
    const long = harness.clientOf(relay!).many(10);
    await harness.untilStreamsRun(10);
    const startedAtMs = performance.now();
    await harness.stop(relay!);
    expect(performance.now() - startedAtMs).toBeLessThan(GRACE_MS + NOTICE_MS + 2_000 * timeFactor);
    const ends = await long;
    expect(new Set(ends.map(({ end, code }) => `${end} ${code}`))).toEqual(new Set(['failed draining']));
    await harness.launch(relay!);
    await harness.everyNodeIsEverywhere();
    await harness.expectSound();
    await harness.expectNothingHeld();
  }, 120_000);
});
