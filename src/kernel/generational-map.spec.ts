import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { GenerationalMap } from './generational-map.js';

test('behaves as a Map under any sequence of operations', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('set', 'take', 'get'), fc.nat(5), fc.nat()), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (taken) => {
      const map = new GenerationalMap<number, { of: number }>();
      const model = new Map<number, { of: number }>();
      for (const [verb, key, of] of taken) {
        if (verb === 'set') {
          map.set(key, { of });
          model.set(key, { of });
        } else if (verb === 'take') {
          expect(map.take(key)).toEqual(model.get(key));
          model.delete(key);
        } else {
          expect(map.get(key)).toEqual(model.get(key));
        }
        expect([map.size, map.has(key), [...map.keys()], [...map.values()]]).toEqual([
          model.size,
          model.has(key),
          [...model.keys()],
          [...model.values()],
        ]);
      }
    }),
  );
});

test('entries deleted during iteration are not visited', () => {
  const map = new GenerationalMap<number, string>();
  for (const key of [1, 2, 3]) map.set(key, String(key));
  const visited: string[] = [];
  for (const value of map.values()) {
    visited.push(value);
    map.take(2);
  }
  expect(visited).toEqual(['1', '3']);
});
