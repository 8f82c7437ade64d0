/** F6 (docs/reference/failures.md#faults): clients that disconnect at any moment. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/clock/eventually.js';
import { FaultHarness } from './support/fault.harness.js';
import { below, percentile, printFigures, repetitions, seed, seeded } from './support/repetitions.js';

const CLIENTS = 200;
const LEAVERS_PER_REPETITION = 50;
const WORDS = 40;

describe('a client', () => {
  let harness: FaultHarness;

  beforeAll(async () => {
    harness = await FaultHarness.start({ only: { slots: CLIENTS } }, { FERRY_HEALTH_FAILURE_THRESHOLD: '1000' });
  }, 120_000);

  afterAll(() => harness.stop(), 60_000);

  const engine = () => harness.node('only').engine;

  it('a client that disconnects at a random moment stops its engine within a second', async () => {
    const random = seeded(seed);
    const stoppedMs: number[] = [];
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      engine().behave = (run) => run.tell(WORDS, 5);
      await Promise.all(
        Array.from({ length: LEAVERS_PER_REPETITION }, async () => {
          const leaving = new AbortController();
          const { record, over } = harness.client.ask({ signal: leaving.signal });
          await delay(below(random, WORDS * 6));
          const run = engine().runOf(record.marker);
          const leftAtMs = performance.now();
          const running = run !== undefined && !run.call.over;
          leaving.abort();
          if (running) {
            const aborted = await Promise.race([run.call.aborted, untilOver(run.call)]);
            if (aborted !== null) stoppedMs.push(aborted - leftAtMs);
          }
          await over;
        }),
      );
    }
    printFigures('F6', {
      clients: repetitions * LEAVERS_PER_REPETITION,
      stopped_engines: stoppedMs.length,
      p50_ms: percentile(stoppedMs, 0.5),
      p99_ms: percentile(stoppedMs, 0.99),
      worst_ms: Math.max(...stoppedMs),
    });
    expect(stoppedMs.length).toBeGreaterThan(0);
    expect(percentile(stoppedMs, 0.99)).toBeLessThan(1_000);
    expect(Math.max(...stoppedMs)).toBeLessThan(3_000);
    await harness.expectNothingHeld();
    await harness.expectSound();
  }, 600_000);

  /** null: the engine had already finished. */
  const untilOver = async (call: { readonly over: boolean; readonly gone: boolean }): Promise<null> => {
    await eventually('the engine is done', () => call.over && !call.gone, 10_000).catch(() => undefined);
    return null;
  };
});
