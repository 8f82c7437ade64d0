/**
 * I3 between accounts (docs/reference/failures.md#invariants): two accounts with models of the same name on one relay, while nodes crash
 * and clients disconnect.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { FaultHarness } from './support/fault.harness.js';
import { below, printFigures, repetitions, seed, seeded } from './support/repetitions.js';

const CLIENTS = 12;
const REQUESTS_EACH = 5;

describe('two accounts on one relay', () => {
  let rigs: readonly FaultHarness[] = [];

  beforeAll(async () => {
    const first = await FaultHarness.start({}, {}, 'embedded');
    const second = await first.beside();
    rigs = [first, second];
    for (const harness of rigs) for (const name of ['one', 'two']) await harness.addNode(name, { slots: 8 });
  }, 240_000);

  afterAll(async () => {
    await rigs[1]?.stopNodes();
    await rigs[0]?.stop();
  }, 60_000);

  it('two accounts on one relay are isolated under every fault', async () => {
    const random = seeded(seed);
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      for (const harness of rigs)
        for (const { engine } of harness.nodes)
          engine.behave = (run) => (run.call.streaming ? run.tell(10, 5) : run.respond());
      const clients = rigs.flatMap((harness) =>
        Array.from({ length: CLIENTS }, async () => {
          for (let sent = 0; sent < REQUESTS_EACH; sent += 1) {
            const leaving = new AbortController();
            const timer = random() < 0.3 ? setTimeout(() => leaving.abort(), below(random, 80)) : undefined;
            await harness.client.ask({ stream: random() < 0.7, signal: leaving.signal }).over;
            clearTimeout(timer);
          }
        }),
      );
      await delay(below(random, 200));
      const victim = rigs[below(random, 2)];
      await victim?.restartNode(random() < 0.5 ? 'one' : 'two');
      await Promise.all(clients);
      for (const harness of rigs) await harness.expectSound();
    }
    printFigures('I3', {
      repetitions,
      requests: rigs.reduce((sum, harness) => sum + harness.client.records.length, 0),
      violations: rigs.reduce((sum, harness) => sum + harness.violations, 0),
    });
    for (const harness of rigs) {
      await harness.expectNothingHeld();
      await harness.expectSound();
    }
  }, 1_800_000);
});
