import { expect, test } from '@jest/globals';
import type { AccountId } from '../../../kernel/ids.js';
import { FleetWaker } from './fleet-waker.js';

const [mine, other] = ['acc_mine', 'acc_other'] as AccountId[] as [AccountId, AccountId];

test('wakes once per account and turn, after everybody else has heard of the change', async () => {
  const heard: string[] = [];
  const waker = new FleetWaker((accountId) => heard.push(accountId));
  waker.fleetChanged(mine);
  waker.fleetChanged(mine);
  waker.fleetChanged(other);
  heard.push('the inventory');
  await Promise.resolve();
  expect(heard).toEqual(['the inventory', mine, other]);
  waker.fleetChanged(mine);
  await Promise.resolve();
  expect(heard).toHaveLength(4);
});
