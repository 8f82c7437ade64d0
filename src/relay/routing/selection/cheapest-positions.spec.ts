import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CheapestPositions } from './cheapest-positions.js';

const LIMIT = 4;
const listed = (cheapest: CheapestPositions): number[] =>
  Array.from({ length: cheapest.size }, (_, rank) => cheapest.at(rank));

test('keeps the cheapest positions, equal costs in the order in which they came', () => {
  const cheapest = new CheapestPositions(LIMIT);
  fc.assert(
    fc.property(fc.array(fc.nat(9), { maxLength: 20 }), (costs) => {
      cheapest.clear();
      for (const [position, cost] of costs.entries()) cheapest.add(position, cost);
      const sorted = [...costs.keys()].sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
      expect(listed(cheapest)).toEqual(sorted.slice(0, LIMIT));
    }),
  );
});

test('a list of cheapest positions is empty when it was cleared', () => {
  const cheapest = new CheapestPositions(LIMIT);
  cheapest.add(7, 1);
  expect(listed(cheapest)).toEqual([7]);
  cheapest.clear();
  expect(listed(cheapest)).toEqual([]);
});
