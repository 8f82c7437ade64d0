import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account, FakeFleet, FakeNode } from '../../../../test/support/relay/routing-fleet.js';
import { chatRequirements } from '../../../dialects/chat/requirements.js';
import { AffinityCache } from '../affinity/affinity-cache.js';
import { unknownDemand } from '../prediction/demand.js';
import type { RequestProfile } from './costing.js';
import { PlacementFinder } from './placement-finder.js';
import { RoutingStats } from './routing-stats.js';

const query = {
  pin: null,
  scope: null,
  model: 'tiny',
  dialect: 'chat' as const,
  requirements: chatRequirements({ messages: [] }),
};
const profile: RequestProfile = {
  demand: unknownDemand,
  affinity: { session: null, opening: 'hello', prefixes: [] },
};

const responded = {
  completed: true,
  faultSubject: null,
  firstEventMs: 10,
  totalMs: 20,
  inputTokens: 900,
  cachedTokens: 0,
  outputTokens: 100,
};

afterEach(() => {
  jest.restoreAllMocks();
});

describe('what may be cached for a request', () => {
  const clock = new ManualClock();
  const stats = new RoutingStats(clock, { affinityKeys: 100 });
  const fleet = new FakeFleet([new FakeNode('a'), new FakeNode('b')]);
  const finder = new PlacementFinder({
    fleetOf: () => fleet,
    occupancy: { busy: () => 0 },
    busyCooldown: { has: () => false },
    random: () => 0,
    costing: stats.costing,
  });
  const start = () => {
    const found = finder.find(account, query, new Set(), profile);
    if (found.kind !== 'free') throw new Error('no node is free');
    return stats.sent(found, profile, 0);
  };

  test('is looked up once, for the choice and for the forecast', () => {
    stats.ended(start(), 0, responded);
    const find = jest.spyOn(AffinityCache.prototype, 'find');
    expect(start().forecast.cachedPromptTokens).toBe(1_000);
    expect(find).toHaveBeenCalledTimes(1);
  });

  test('is looked up for the forecast where the choice did not need it', () => {
    const { placement } = start();
    expect(stats.sent({ placement, cachedPromptTokens: null }, profile, 0).forecast.cachedPromptTokens).toBe(1_000);
    expect(stats.sent({ placement, cachedPromptTokens: 7 }, profile, 0).forecast.cachedPromptTokens).toBe(7);
  });
});

describe('a request that an engine let wait', () => {
  const clock = new ManualClock();
  const stats = new RoutingStats(clock, { affinityKeys: 100 });
  const node = new FakeNode('batching', { slots: 8 });
  const [report] = node.models.values();
  if (report === undefined) throw new Error('the node has no model');
  const placement = { node, report };
  const start = () => stats.sent({ placement, cachedPromptTokens: 0 }, profile, 7);
  const end = (record: ReturnType<typeof start>, firstEventMs: number): void => {
    stats.ended(record, 7, { ...responded, firstEventMs, totalMs: firstEventMs + 1_000 });
  };

  test('shows that it has fewer slots, but not fewer than it answers at once', () => {
    // It is known how fast the engine reads a prompt.
    for (let run = 0; run < 3; run += 1) end(stats.sent({ placement, cachedPromptTokens: 0 }, profile, 0), 500);
    const others = Array.from({ length: 6 }, start);
    for (const other of others) stats.begun(other);
    for (let run = 0; run < 5; run += 1) {
      clock.advance(1);
      const late = start();
      stats.begun(late);
      end(late, 60_000);
    }
    expect(stats.slots.limitOf(placement)).toBe(7);
    for (const other of others) end(other, 500);
    for (let run = 0; run < 5; run += 1) {
      clock.advance(1);
      end(start(), 60_000);
    }
    expect(stats.slots.limitOf(placement)).toBeLessThan(4);
  });
});
