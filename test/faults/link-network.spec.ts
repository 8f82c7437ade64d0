/** F13 and F14 (docs/reference/failures.md#faults): bad networks between node and relay, and a link that breaks repeatedly. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { residentBytes } from '../support/process/process-memory.js';
import type { Toxics } from './support/fault-proxy.js';
import { FaultHarness } from './support/fault.harness.js';
import { below, printFigures, repetitions, seed, seeded } from './support/repetitions.js';

const SLOTS = 8;
const MEBIBYTE = 1_048_576;

describe('a link through a bad network', () => {
  let harness: FaultHarness;

  beforeAll(async () => {
    harness = await FaultHarness.start({ far: { slots: SLOTS, proxied: true } });
  }, 120_000);

  afterAll(() => harness.stop(), 60_000);

  const far = () => harness.node('far');
  const proxy = () => {
    const { proxy: found } = far();
    if (found === undefined) throw new Error('the node has no proxy');
    return found;
  };

  const harmless: readonly [string, Toxics][] = [
    ['300 ms of latency', { latencyMs: 300 }],
    ['64 kB a second', { bytesPerSecond: 64_000 }],
    ['single bytes', { sliceBytes: 1 }],
  ];

  it.each(harmless)(
    'a link through a bad network with %s returns correct responses',
    async (_name, toxics) => {
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        proxy().toxics = toxics;
        far().engine.behave = (run) => (run.call.streaming ? run.tell(20, 5) : run.respond());
        const records = await Promise.all([true, true, false].map((stream) => harness.client.ask({ stream }).over));
        expect(records.map(({ end }) => end)).toEqual(['completed', 'completed', 'completed']);
      }
      proxy().toxics = {};
      await harness.expectSound();
    },
    300_000,
  );

  const cutting: readonly [string, (random: () => number) => void][] = [
    ['a reset', () => proxy().reset()],
    ['an end after some bytes', (random) => (proxy().toxics = { limitBytes: 2_000 + below(random, 4_000) })],
  ];

  it.each(cutting)(
    'a link through a bad network with %s returns correct responses or clean errors',
    async (_name, cut) => {
      const random = seeded(seed);
      for (let repetition = 0; repetition < repetitions; repetition += 1) {
        far().engine.behave = (run) => run.tell(200, 5);
        const asked = Array.from({ length: 4 }, () => harness.client.ask());
        await eventually('they all stream', () => asked.every(({ record }) => record.text !== ''));
        await delay(below(random, 300));
        cut(random);
        for (const { over } of asked) expect(['completed', 'failed']).toContain((await over).end);
        proxy().toxics = {};
        await harness.restartNode('far');
      }
      await harness.expectNothingHeld();
      await harness.expectSound();
    },
    600_000,
  );

  it('a link that keeps breaking leaks nothing, and the node backs off', async () => {
    const flaps = repetitions * 5;
    const before = residentBytes(harness.relay.pid);
    for (let flap = 0; flap < flaps; flap += 1) {
      far().engine.behave = (run) => run.tell(50, 5);
      const asked = [harness.client.ask(), harness.client.ask()];
      await eventually('they stream', () => asked.some(({ record }) => record.text !== '' || record.end !== 'broken'));
      proxy().reset();
      await Promise.all(asked.map(({ over }) => over));
      await harness.restartNode('far');
    }
    const grown = residentBytes(harness.relay.pid) - before;
    // The node alone with an unreachable relay: full jitter up to 1, 2, 4 … seconds.
    proxy().blackhole();
    const dialsBefore = proxy().connections;
    proxy().reset();
    await delay(5_000);
    const dials = proxy().connections - dialsBefore;
    printFigures('F14', { flaps, relay_growth_mib: grown / MEBIBYTE, dials_in_5_s: dials });
    expect(dials).toBeLessThan(20);
    expect(grown).toBeLessThan(30 * MEBIBYTE);
    proxy().heal();
    await harness.restartNode('far');
    await harness.expectNothingHeld();
    await harness.expectSound();
  }, 600_000);
});
