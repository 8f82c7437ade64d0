import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LinkModel, type Step } from '../../test/support/link/link-model.js';

const pick = fc.nat(10);
const bytes = fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 900 }));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('open' as const), pick, bytes: fc.oneof(fc.constant(0), bytes) }),
  },
  { weight: 12, arbitrary: fc.record({ act: fc.constant('write' as const), pick, bytes }) },
  { weight: 16, arbitrary: fc.record({ act: fc.constantFrom('take' as const, 'takeBody' as const), pick, bytes }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('answer' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constantFrom('end' as const, 'fail' as const, 'reject' as const), pick }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('stop' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('cancel' as const), pick }) },
  {
    weight: 30,
    arbitrary: fc.record({ act: fc.constantFrom('flush' as const, 'toNode' as const, 'toRelay' as const) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('releaseAcks' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('pass' as const), seconds: fc.integer({ min: 1, max: 40 }) }) },
);
const leaving = fc.record({ act: fc.constantFrom('nodeLeaves' as const, 'relayLeaves' as const) });

const settled = (): Promise<void> => new Promise(setImmediate);

describe('a link between two correct peers', () => {
  it('never breaks the protocol, delivers every byte in order and ends every request exactly once', async () => {
    let completed = 0;
    let confirmed = 0;
    let wholes = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 200 }), fc.option(leaving), async (steps, leave) => {
        const model = new LinkModel();
        for (const [index, next] of steps.entries()) {
          model.run(next);
          if (index % 10 === 0) await settled();
          if (leave !== null && index === 100) model.run(leave);
        }
        for (let round = 0; round < 100 && model.leftovers().length > 0; round += 1) {
          model.windDown();
          await settled();
        }
        expect(model.violations()).toEqual([]);
        expect(model.leftovers()).toEqual([]);
        wholes += model.wholes;
        confirmed += [...model.requests.values()].filter(({ stops }) => stops[0] === 'end cancelled').length;
        completed += [...model.requests.values()].filter(({ calls }) => calls.at(-1) === 'end completed').length;
      }),
      { numRuns: 150 },
    );
    expect(completed).toBeGreaterThan(100);
    expect(confirmed).toBeGreaterThan(20);
    expect(wholes).toBeGreaterThan(50);
  });

  it('loses every request exactly once when the socket closes, in any state', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), fc.boolean(), (steps, relayFirst) => {
        const model = new LinkModel();
        for (const next of steps) model.run(next);
        const ends = relayFirst ? [model.pair.relay, model.pair.node] : [model.pair.node, model.pair.relay];
        for (const end of ends) end.closed();
        while (model.pair.flushes.run());
        expect(model.violations()).toEqual([]);
        expect(model.leftovers()).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});
