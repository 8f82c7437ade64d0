import { expect, test } from '@jest/globals';
import { LiveRequests, NOT_LISTED } from './live-requests.js';

interface Request {
  listIndex: number;
}

const request = (): Request => ({ listIndex: NOT_LISTED });
const [a, b, c] = [request(), request(), request()] as const;

test('emits when none is left', async () => {
  const live = new LiveRequests<Request>();
  await live.empty();
  live.add(a);
  live.add(b);
  let empty = false;
  const waiting = live.empty().then(() => (empty = true));
  live.delete(a);
  live.delete(a);
  await Promise.resolve();
  expect([empty, live.size]).toEqual([false, 1]);
  live.delete(b);
  await waiting;
  expect(empty).toBe(true);
});

test('ending requests while iterating skips none', () => {
  const live = new LiveRequests<Request>();
  for (const one of [a, b, c]) live.add(one);
  const seen: Request[] = [];
  for (const one of live) {
    seen.push(one);
    for (const other of [a, b, c]) live.delete(other);
  }
  expect(seen).toEqual([a, b, c]);
});

test('any of them may end first', () => {
  const live = new LiveRequests<Request>();
  for (const one of [a, b, c]) live.add(one);
  live.add(b);
  live.delete(a);
  live.delete(a);
  expect(new Set(live)).toEqual(new Set([b, c]));
  live.add(a);
  live.delete(c);
  live.delete(b);
  expect([...live]).toEqual([a]);
  live.delete(a);
  expect(live.size).toBe(0);
});
