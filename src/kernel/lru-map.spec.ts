import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LruMap } from './lru-map.js';

describe('LruMap', () => {
  it('evicts the least recently used entry', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([map.get('a'), map.get('b'), map.get('c'), map.size]).toEqual([1, undefined, 3, 2]);
  });

  it('counts a key that is set again once', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.set('b', 3);
    expect([map.get('a'), map.get('b')]).toEqual([1, 3]);
  });

  it('keeps its order when the newest is touched, deleted and set again', () => {
    const map = new LruMap<string, number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('b');
    map.delete('b');
    map.get('a');
    map.set('b', 3);
    map.get('b');
    map.set('c', 4);
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([undefined, 3, 4]);
  });

  it('behaves as a simple list under any operations', () => {
    const steps = fc.array(fc.tuple(fc.constantFrom('set', 'get', 'delete'), fc.nat(5)), { maxLength: 100 });
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 4 }), (taken, limit) => {
        const map = new LruMap<number, number>(limit);
        let model: number[] = [];
        for (const [verb, key] of taken) {
          const known = model.includes(key);
          if (verb === 'get') expect(map.get(key)).toBe(known ? key : undefined);
          else if (verb === 'set') map.set(key, key);
          else map.delete(key);
          model = model.filter((one) => one !== key);
          if (verb === 'set' || (verb === 'get' && known)) model.push(key);
          model = model.slice(-limit);
          expect(map.size).toBe(model.length);
        }
      }),
    );
  });

  it('deletes by value', () => {
    const map = new LruMap<string, number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
    map.deleteWhere((value) => value > 0);
    expect([map.get('a'), map.size]).toEqual([0, 1]);
  });
});
