import { expect, it } from '@jest/globals';
import { sinceTime } from '../../components/format';
import type { Node } from '../../components/node-facts';
import { stateSince } from './state-since';

const node = (members: Partial<Node>): Node =>
  ({ status: 'active', online: false, problem: null, paused: false, health: 'healthy', ...members }) as Node;

it('the state of a computer that is offline for no known reason has the time since when it is', () => {
  const last_seen = 1_790_000_000;
  const since = sinceTime(last_seen, Date.now());
  expect(stateSince(node({ last_seen }), false)).toEqual({ state: 'off', label: `Offline since ${since}` });
  expect(stateSince(node({ last_seen: null }), false).label).toBe('offline');
  expect(stateSince(node({ last_seen }), true).label).toBe('lost its connection');
  expect(stateSince(node({ last_seen, online: true }), false).label).toBe('online');
});
