import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NodeId } from '../../../kernel/ids.js';
import { FakeNode, reportedModel, statusOf } from '../../../../test/support/relay/routing-fleet.js';
import { Occupancy, slotsOf, usedElsewhere, type Slot } from './occupancy.js';

const slot = (node: string, engine = 'e'): Slot => ({ nodeId: node as NodeId, engine });

test('an owner is counted in one place after any moves', () => {
  const occupancy = new Occupancy<string>();
  occupancy.move('request', slot('a'));
  occupancy.move('request', slot('a'));
  occupancy.move('request', slot('b'));
  expect([occupancy.busy(slot('a')), occupancy.busy(slot('b')), occupancy.busy(slot('b', 'other'))]).toEqual([0, 1, 0]);
  occupancy.move('request', null);
  occupancy.move('request', null);
  expect([occupancy.busy(slot('b')), occupancy.size]).toEqual([0, 0]);
});

test('counts are the number of owners, after any moves', () => {
  const slots = [null, slot('a'), slot('a', 'f'), slot('b')];
  const moves = fc.array(fc.tuple(fc.nat(4), fc.nat(slots.length - 1)), { maxLength: 60 });
  fc.assert(
    fc.property(moves, (sequence) => {
      const occupancy = new Occupancy<number>();
      const where = new Map<number, Slot | null>();
      for (const [owner, index] of sequence) {
        const place = slots[index] ?? null;
        occupancy.move(owner, place);
        where.set(owner, place);
      }
      for (const place of slots) {
        if (place === null) continue;
        expect(occupancy.busy(place)).toBe([...where.values()].filter((at) => at === place).length);
      }
    }),
  );
});

test('slots are those advertised; one until a report', () => {
  const node = new FakeNode('a');
  const placement = { node, report: reportedModel({ engine: 'engine' }) };
  node.status = statusOf({ other: 9, engine: 6 });
  expect(slotsOf(placement)).toBe(6);
  node.status = statusOf({ other: 9 });
  expect(slotsOf(placement)).toBe(1);
  node.status = null;
  expect(slotsOf(placement)).toBe(1);
});

test('slots used through other replicas are those of the engine that the node reports', () => {
  const node = new FakeNode('a');
  const placement = { node, report: reportedModel({ engine: 'engine' }) };
  expect(usedElsewhere(placement)).toBeNull();
  const shared = statusOf({ other: 9, engine: 6 });
  node.status = { ...shared, engines: shared.engines.map((one) => ({ ...one, slots_used_elsewhere: 2 })) };
  expect(usedElsewhere(placement)).toBe(2);
  node.status = null;
  expect(usedElsewhere(placement)).toBeNull();
});
