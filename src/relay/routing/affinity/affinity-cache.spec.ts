import { describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeNode, reportedModel } from '../../../../test/support/relay/routing-fleet.js';
import type { AccountId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { AffinityCache } from './affinity-cache.js';
import type { AffinityKeys } from './affinity-keys.js';

const keys = (fields: Partial<AffinityKeys> = {}): AffinityKeys => ({
  session: null,
  opening: 'opening',
  prefixes: [],
  ...fields,
});
const placementOf = (name: string): Placement => ({ node: new FakeNode(name), report: reportedModel() });
const [a, b] = [placementOf('a'), placementOf('b')];

const labOf = (limit = 100) => {
  const clock = new ManualClock();
  return { clock, book: new AffinityCache(clock, limit) };
};

describe('conversation affinity', () => {
  test('holds for the node that served it only', () => {
    const { book: cache } = labOf();
    cache.served(account, keys(), a, 900);
    expect([a, b].map((place) => cache.find(account, keys()).tokensAt(place))).toEqual([900, 0]);
  });

  test('prefers a session over a prompt match', () => {
    const { book: cache } = labOf();
    cache.served(account, keys({ session: 's' }), a, 900);
    expect(cache.find(account, keys({ session: 's', opening: 'another' })).tokensAt(a)).toBe(900);
    expect(cache.find(account, keys()).tokensAt(a)).toBe(0);
  });

  test('credits the longest beginning that the prompt shares with one at the node', () => {
    const { book: cache } = labOf();
    const prefixes = [1_024, 512, 128].map((tokens) => ({ hash: `first ${tokens}`, tokens }));
    cache.served(account, keys({ prefixes }), a, 1_500);
    cache.served(account, keys({ opening: 'short', prefixes: prefixes.slice(2) }), b, 200);
    const other = keys({ opening: 'other', prefixes: [{ hash: 'another', tokens: 1_024 }, ...prefixes.slice(1)] });
    expect([a, b].map((place) => cache.find(account, other).tokensAt(place))).toEqual([512, 128]);
    expect([a, b].map((place) => cache.find(account, keys({ prefixes })).tokensAt(place))).toEqual([1_500, 128]);
  });

  test('conversation affinity of a flooding account does not evict that of another', () => {
    const { book: cache } = labOf(10);
    cache.served('acc_other' as AccountId, keys(), a, 900);
    for (let index = 0; index < 50; index += 1) cache.served(account, keys({ opening: `${index}` }), a, 10);
    expect(cache.find('acc_other' as AccountId, keys()).tokensAt(a)).toBe(900);
    expect(cache.find(account, keys({ opening: '49' })).tokensAt(a)).toBe(10);
    expect(cache.find(account, keys({ opening: '0' })).tokensAt(a)).toBe(0);
  });

  test('conversation affinity is scoped by account', () => {
    const { book: cache } = labOf();
    cache.served(account, keys(), a, 900);
    expect(cache.find('acc_other' as AccountId, keys()).tokensAt(a)).toBe(0);
  });

  test('decays over time', () => {
    const { book: cache, clock } = labOf();
    cache.served(account, keys(), a, 900);
    clock.advance(600_000);
    expect(cache.find(account, keys()).tokensAt(a)).toBeCloseTo(450);
  });

  test('conversation affinity is dropped when the node failed', () => {
    const { book: cache } = labOf();
    cache.served(account, keys(), a, 900);
    cache.served(account, keys(), b, 500);
    cache.failed(account, keys(), a);
    expect([a, b].map((place) => cache.find(account, keys()).tokensAt(place))).toEqual([0, 500]);
    const shared = keys({ opening: 'other', prefixes: [{ hash: 'first', tokens: 128 }] });
    cache.served(account, shared, a, 900);
    cache.failed(account, shared, a);
    expect(cache.find(account, shared).tokensAt(a)).toBe(0);
  });

  test('conversation affinity is bounded in conversations and in places', () => {
    const { book: cache, clock } = labOf(2);
    for (const opening of ['1', '2', '3']) cache.served(account, keys({ opening }), a, 10);
    expect(['1', '2', '3'].map((opening) => cache.find(account, keys({ opening })).tokensAt(a))).toEqual([0, 10, 10]);
    for (const name of ['1', '2', '3', '4', '5']) {
      clock.advance(1);
      cache.served(account, keys({ opening: 'many' }), placementOf(name), 10);
    }
    const cached = ['1', '2', '3', '4', '5'].map((name) =>
      cache.find(account, keys({ opening: 'many' })).tokensAt(placementOf(name)),
    );
    expect(cached).toEqual([0, 10, 10, 10, 10]);
  });
});
