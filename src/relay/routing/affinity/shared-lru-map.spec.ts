import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SharedLruMap } from './shared-lru-map.js';

describe('a cache that owners share', () => {
  it('lets one owner use all of it while nobody else has entries', () => {
    const map = new SharedLruMap<string, number, string>(3);
    for (let key = 0; key < 5; key += 1) map.set('a', key, 'x');
    expect([0, 1, 2, 3, 4].map((key) => map.get('a', key))).toEqual([undefined, undefined, 'x', 'x', 'x']);
  });

  it('takes what a new owner needs from the one that has most, least recently used first', () => {
    const map = new SharedLruMap<string, number, string>(4);
    for (let key = 0; key < 4; key += 1) map.set('a', key, 'x');
    map.get('a', 0);
    map.set('b', 0, 'y');
    map.set('b', 1, 'y');
    expect([0, 1, 2, 3].map((key) => map.get('a', key))).toEqual(['x', undefined, undefined, 'x']);
    map.set('b', 2, 'y');
    expect([0, 3].map((key) => map.get('a', key))).toEqual(['x', 'x']);
    expect([0, 1, 2].map((key) => map.get('b', key))).toEqual([undefined, 'y', 'y']);
  });

  it('never exceeds its limit and never takes an owner below an equal share', () => {
    const step = fc.record({ owner: fc.constantFrom('a', 'b', 'c', 'd'), key: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const limit = 8;
        const map = new SharedLruMap<string, number, number>(limit);
        const last = new Map<string, number[]>();
        for (const { owner, key } of steps) {
          map.set(owner, key, key);
          const recent = [key, ...(last.get(owner) ?? []).filter((other) => other !== key)];
          // With four owners each keeps its two newest entries.
          last.set(owner, recent.slice(0, limit / 4));
          expect(map.size).toBeLessThanOrEqual(limit);
        }
        for (const [name, keys] of last) for (const kept of keys) expect(map.get(name, kept)).toBe(kept);
      }),
    );
  });
});
