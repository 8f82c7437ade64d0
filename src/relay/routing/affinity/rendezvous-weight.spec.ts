import { describe, expect, test } from '@jest/globals';
import { FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import type { Placement } from '../../inventory/model-entry.js';
import { rendezvousWeight } from './rendezvous-weight.js';

const places = ['a', 'b', 'c'].map((name): Placement => ({ node: new FakeNode(name), report: reportedModel() }));
const conversations = Array.from({ length: 3_000 }, (_, number) => `conversation ${number}`);

const preferred = (conversation: string, among: readonly Placement[]): Placement =>
  among.reduce((best, place) =>
    rendezvousWeight(conversation, place) > rendezvousWeight(conversation, best) ? place : best,
  );

describe('rendezvous weights', () => {
  test('spread conversations evenly', () => {
    const counts = new Map(places.map((place) => [place, 0]));
    for (const conversation of conversations) {
      const place = preferred(conversation, places);
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(100);
  });

  test('rendezvous weights keep the other conversations in place when a node goes', () => {
    const [gone, ...rest] = places;
    for (const conversation of conversations) {
      const before = preferred(conversation, places);
      if (before !== gone) expect(preferred(conversation, rest)).toBe(before);
    }
  });

  test('rendezvous weights tell models of one node apart', () => {
    const [node] = places.map((place) => place.node);
    const models = ['m1', 'm2'].map((key): Placement => ({ node: node!, report: { ...reportedModel(), key } }));
    const first = conversations.filter((conversation) => preferred(conversation, models) === models[0]);
    expect(Math.abs(first.length - 1_500)).toBeLessThan(150);
  });

  test('rendezvous weights are the same in every process', () => {
    expect(places.map((place) => rendezvousWeight('conversation', place))).toMatchInlineSnapshot(`
      [
        1030906642,
        53572028,
        591414622,
      ]
    `);
  });
});
