import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { RecentRequests } from './recent-requests.js';

test('remembers a request for ten minutes', () => {
  const clock = new ManualClock();
  const recentRequests = new RecentRequests(clock);
  recentRequests.add('early');
  clock.advance(9 * 60_000);
  recentRequests.add('late');
  clock.advance(60_000 - 1);
  recentRequests.add('last');
  expect(['early', 'late', 'last', 'never'].map((id) => recentRequests.has(id))).toEqual([true, true, true, false]);
  clock.advance(1);
  recentRequests.add('another');
  expect(['early', 'late'].map((id) => recentRequests.has(id))).toEqual([false, true]);
});

test('remembers between ten and twenty thousand requests', () => {
  const recentRequests = new RecentRequests(new ManualClock());
  for (let id = 0; id < 50_000; id += 1) recentRequests.add(String(id));
  const remembered = Array.from({ length: 50_000 }, (_, id) => recentRequests.has(String(id)));
  expect(remembered.slice(-10_000)).not.toContain(false);
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(20_000);
});
