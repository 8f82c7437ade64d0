import { describe, expect, test } from '@jest/globals';
import { FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';

import { choose, occupancyCost, type Candidate, type CostedCandidate } from './choice.js';
import { occupancyCosting } from './costing.js';

/** mulberry32: the same sequence on every machine. */
const seeded = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const candidate = (name: string, busy: number, slots: number): Candidate => {
  const node = new FakeNode(name, { slots });
  return { placement: { node, report: reportedModel() }, busy, slots };
};

const costed = (one: Candidate): CostedCandidate => ({ ...one, cost: occupancyCost(one), parts: null });

const chosen = (
  candidates: Candidate[],
  random: () => number,
  conversation: string | null = null,
): string | undefined =>
  choose(candidates.map(costed), occupancyCosting.tieWithin, random, conversation)?.placement.node.name;

describe('choice', () => {
  test('chooses the lowest occupancy per slot, not the fewest requests', () => {
    expect(chosen([candidate('small', 1, 2), candidate('large', 3, 8)], seeded(1))).toBe('large');
  });

  test('never chooses a full node, and none when all are full', () => {
    expect(chosen([candidate('full', 1, 1), candidate('half', 1, 2)], seeded(1))).toBe('half');
    expect(
      chosen([candidate('full', 1, 1), candidate('over', 3, 2), candidate('none', 0, 0)], seeded(1)),
    ).toBeUndefined();
    expect(chosen([], seeded(1))).toBeUndefined();
  });

  test('spreads near-ties evenly', () => {
    const random = seeded(42);
    const counts = new Map<string, number>();
    const candidates = [candidate('a', 0, 4), candidate('b', 0, 1), candidate('c', 1, 100), candidate('busy', 1, 4)];
    for (let turn = 0; turn < 9_000; turn += 1) {
      const name = chosen(candidates, random) ?? 'none';
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
    for (const count of counts.values()) expect(Math.abs(count - 3_000)).toBeLessThan(200);
  });

  test('the same seed gives the same choices', () => {
    const run = (): (string | undefined)[] => {
      const random = seeded(7);
      return Array.from({ length: 20 }, () => chosen([candidate('a', 0, 1), candidate('b', 0, 1)], random));
    };
    expect(run()).toEqual(run());
  });

  test('a burst fills all nodes in proportion to their slots', () => {
    const random = seeded(3);
    const busy: Record<string, number> = { one: 0, four: 0 };
    for (let turn = 0; turn < 5; turn += 1) {
      const name = chosen([candidate('one', busy['one']!, 1), candidate('four', busy['four']!, 4)], random)!;
      busy[name]! += 1;
    }
    expect(busy).toEqual({ one: 1, four: 4 });
  });

  describe('of a conversation', () => {
    const three = (): Candidate[] => ['a', 'b', 'c'].map((name) => candidate(name, 0, 4));
    const conversations = Array.from({ length: 300 }, (_, number) => `conversation ${number}`);
    const notRandom = (): number => {
      throw new Error('no random choice is needed');
    };

    test('choice of a conversation is the same among near-ties, in any order of the candidates', () => {
      for (const conversation of conversations) {
        const first = chosen(three(), notRandom, conversation);
        expect(chosen(three().reverse(), notRandom, conversation)).toBe(first);
      }
    });

    test('differs between conversations', () => {
      const counts = new Map<string, number>();
      for (const conversation of conversations) {
        const name = chosen(three(), notRandom, conversation) ?? 'none';
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
      expect([...counts.keys()].sort()).toEqual(['a', 'b', 'c']);
      for (const count of counts.values()) expect(count).toBeGreaterThan(70);
    });

    test('choice of a conversation is a cheaper node where it is no tie', () => {
      for (const conversation of conversations) {
        const busy = chosen(three(), notRandom, conversation);
        const candidates = ['a', 'b', 'c'].map((name) => candidate(name, name === busy ? 3 : 0, 4));
        expect(chosen(candidates, notRandom, conversation)).not.toBe(busy);
      }
    });
  });
});
