import { describe, expect, it } from '@jest/globals';
import { account, FakeNode, statusOf } from '../../../../test/support/relay/routing-fleet.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import type { StatusMessage } from '../../../link/messages.js';
import { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { BusyCooldown } from './busy-cooldown.js';

const node = new FakeNode('a');
const slot = { nodeId: node.nodeId, engine: 'engine' };

const reportOf = (used: number, elsewhere: number | undefined): StatusMessage => {
  const status = statusOf({ engine: 2 });
  const shared = elsewhere === undefined ? {} : { slots_used_elsewhere: elsewhere };
  return { ...status, engines: status.engines.map((one) => ({ ...one, slots_used: used, ...shared })) };
};

const marked = (): BusyCooldown => {
  const cooldown = new BusyCooldown(new TimerWheel({ clock: new ManualClock() }), () => undefined);
  cooldown.mark(account, slot);
  return cooldown;
};

describe('the cooldown of an engine that rejected a request as busy', () => {
  it.each<[string, StatusMessage | null, boolean]>([
    ['ends when a node of several replicas has a free slot', reportOf(1, 0), false],
    ['goes on while it has none', reportOf(2, 1), true],
    ['goes on for a node that only this replica uses, whose report may be a second old', reportOf(1, undefined), true],
    ['goes on without a report', null, true],
  ])('%s', (_name, status, expected) => {
    const cooldown = marked();
    cooldown.reported({ nodeId: node.nodeId, status });
    expect(cooldown.has(slot)).toBe(expected);
  });
});
