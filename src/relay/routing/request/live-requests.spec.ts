import { expect, test } from '@jest/globals';
import { LiveRequests } from './live-requests.js';

test('tells the moment when none is left', async () => {
  const live = new LiveRequests<string>();
  await live.empty();
  live.add('a');
  live.add('b');
  let empty = false;
  const waiting = live.empty().then(() => (empty = true));
  live.delete('a');
  live.delete('a');
  await Promise.resolve();
  expect([empty, live.size]).toEqual([false, 1]);
  live.delete('b');
  await waiting;
  expect(empty).toBe(true);
});

test('ending requests while iterating skips none', () => {
  const live = new LiveRequests<string>();
  for (const name of ['a', 'b', 'c']) live.add(name);
  const seen: string[] = [];
  for (const name of live) {
    seen.push(name);
    for (const other of ['a', 'b', 'c']) live.delete(other);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
});
