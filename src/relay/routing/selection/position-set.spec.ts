import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PositionSet } from './position-set.js';

const LIMIT = 20;
const position = fc.nat(LIMIT - 1);

test('a position set has the members that a Set has, and draws each of them once', () => {
  const changes = fc.array(fc.tuple(fc.boolean(), position));
  fc.assert(
    fc.property(changes, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), (list, randoms) => {
      const set = new PositionSet(LIMIT);
      const expected = new Set(Array.from({ length: LIMIT }, (_, index) => index));
      for (const [adds, member] of list) {
        if (adds) set.add(member);
        else set.delete(member);
        if (adds) expected.add(member);
        else expected.delete(member);
      }
      const drawn: number[] = [];
      for (const random of randoms) {
        const member = set.draw(drawn.length, random);
        if (member === undefined) break;
        drawn.push(member);
      }
      expect(drawn.toSorted((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
      expect(set.size).toBe(expected.size);
    }),
  );
});

test('takes all numbers back at once', () => {
  const set = new PositionSet(LIMIT);
  for (let member = 0; member < LIMIT; member += 1) set.delete(member);
  expect([set.size, set.draw(0, 0)]).toEqual([0, undefined]);
  set.addAll();
  expect(set.size).toBe(LIMIT);
});
