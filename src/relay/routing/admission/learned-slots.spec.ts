import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { FakeNode, reportedModel, statusOf } from '../../../../test/support/relay/routing-fleet.js';
import type { Placement } from '../../inventory/model-entry.js';
import { LearnedSlots } from './learned-slots.js';

const placementOf = (name: string, slots = 8, model = 'tiny'): Placement => ({
  node: new FakeNode(name, { slots }),
  report: reportedModel({ key: `engine/${model}` }),
});

describe('learned slots', () => {
  let clock: ManualClock;
  let raised: number;
  let learned: LearnedSlots;
  const placement = placementOf('a');

  beforeEach(() => {
    clock = new ManualClock();
    raised = 0;
    learned = new LearnedSlots(clock, () => {
      raised += 1;
    });
  });

  /** One run after the other, each of its own generation. */
  const run = (others: number, waited: boolean, at = placement): void => {
    clock.advance(1);
    learned.ran({ placement: at, others, startedAtMs: clock.monotonicMs() }, waited);
  };

  test('equal the advertised slots without contrary evidence', () => {
    run(7, false);
    run(0, true);
    expect([learned.limitOf(placement), learned.size]).toEqual([Infinity, 0]);
  });

  test('decrease while runs queue inside the engine, never below one', () => {
    run(7, true);
    expect(learned.limitOf(placement)).toBe(6);
    for (let time = 0; time < 50; time += 1) run(7, true);
    expect(learned.limitOf(placement)).toBe(1);
  });

  test('learned slots are not lowered below what the engine was seen to run at once', () => {
    const waitedBeside = (proven: number): number => {
      clock.advance(1);
      learned.ran({ placement, others: 7, startedAtMs: clock.monotonicMs(), proven }, true);
      return learned.limitOf(placement);
    };
    expect(waitedBeside(8)).toBe(Infinity);
    expect([1, 6, 4, 4, 4, 4].map(waitedBeside)).toEqual([6, 6, 5, 4, 4, 4]);
    expect(waitedBeside(9)).toBe(4);
  });

  test('decrease once for all requests started before the step', () => {
    const startedAtMs = clock.monotonicMs();
    clock.advance(1);
    for (let time = 0; time < 8; time += 1) learned.ran({ placement, others: 7, startedAtMs }, true);
    expect(learned.limitOf(placement)).toBe(6);
  });

  test('equal the running requests of a node that reports full', () => {
    learned.full({ placement, others: 3, startedAtMs: 0 });
    expect(learned.limitOf(placement)).toBe(3);
  });

  test('learned slots ignore a rejection by a node that other replicas use, too', () => {
    const node = new FakeNode('shared', { slots: 8 });
    const { engines, ...rest } = statusOf({ engine: 8 });
    node.status = { ...rest, engines: engines.map((one) => ({ ...one, slots_used_elsewhere: 0 })) };
    const shared = { node, report: reportedModel({}) };
    learned.full({ placement: shared, others: 3, startedAtMs: 0 });
    expect(learned.limitOf(shared)).toBe(Infinity);
  });

  test('learned slots ignore nodes that are stopping a run or run none of ours', () => {
    learned.stopped(placement);
    learned.full({ placement, others: 3, startedAtMs: 0 });
    expect(learned.limitOf(placement)).toBe(Infinity);
    clock.advance(2_000);
    learned.full({ placement, others: 0, startedAtMs: 0 });
    expect(learned.limitOf(placement)).toBe(Infinity);
  });

  test('increase while all are used without queueing, and wake the queue', () => {
    learned.full({ placement, others: 2, startedAtMs: 0 });
    run(0, false);
    expect(learned.limitOf(placement)).toBe(2);
    for (let time = 0; learned.limitOf(placement) === 2 && time < 10; time += 1) run(1, false);
    expect([learned.limitOf(placement), raised]).toEqual([3, 1]);
    for (let time = 0; time < 200; time += 1) run(7, false);
    expect([learned.limitOf(placement), learned.size]).toEqual([Infinity, 0]);
  });

  test('learned slots return to the advertised slots after a while without evidence', () => {
    learned.full({ placement, others: 2, startedAtMs: 0 });
    clock.advance(599_999);
    expect(learned.limitOf(placement)).toBe(2);
    clock.advance(1);
    expect([learned.limitOf(placement), learned.size]).toEqual([Infinity, 0]);
  });

  test('learned slots are per model, and removed with the node', () => {
    const other = placementOf('a', 8, 'large');
    learned.full({ placement, others: 2, startedAtMs: 0 });
    expect(learned.limitOf(other)).toBe(Infinity);
    learned.full({ placement: other, others: 3, startedAtMs: 0 });
    learned.forget(placement.node.nodeId);
    expect([learned.limitOf(placement), learned.limitOf(other), learned.size]).toEqual([Infinity, Infinity, 0]);
  });

  test('learned slots are kept for a bounded number of nodes', () => {
    const few = new LearnedSlots(clock, undefined, 3);
    const slots = Array.from({ length: 9 }, (_, index) => placementOf(String(index)));
    for (const at of slots) few.full({ placement: at, others: 2, startedAtMs: 0 });
    expect(few.size).toBe(3);
    expect(slots.map((at) => few.limitOf(at)).slice(-3)).toEqual([2, 2, 2]);
  });

  test('learned slots stay between one and the advertised slots', () => {
    const step = fc.tuple(fc.constantFrom('full', 'waited', 'fine', 'pause'), fc.nat(12));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.array(step, { maxLength: 80 }), (slots, steps) => {
        const at = placementOf('p', slots);
        const any = new LearnedSlots(clock);
        for (const [what, others] of steps) {
          clock.advance(what === 'pause' ? 300_000 : 1);
          const over = { placement: at, others, startedAtMs: clock.monotonicMs() };
          if (what === 'full') any.full(over);
          else if (what !== 'pause') any.ran(over, what === 'waited');
          const limit = any.limitOf(at);
          expect(limit).toBeGreaterThanOrEqual(1);
          if (Number.isFinite(limit)) expect(limit).toBeLessThanOrEqual(slots);
        }
      }),
    );
  });
});
