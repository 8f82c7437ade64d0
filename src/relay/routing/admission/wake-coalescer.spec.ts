import { expect, test } from '@jest/globals';
import type { AccountId } from '../../../kernel/ids.js';
import { WakeCoalescer } from './admission-queue.js';

const [mine, other] = ['acc_mine', 'acc_other'] as AccountId[] as [AccountId, AccountId];

test('wakes once per account and turn, after all other listeners', async () => {
  const heard: string[] = [];
  const wakes = new WakeCoalescer((accountId) => heard.push(accountId));
  wakes.fleetChanged(mine);
  wakes.fleetChanged(mine);
  wakes.fleetChanged(other);
  heard.push('the inventory');
  await Promise.resolve();
  expect(heard).toEqual(['the inventory', mine, other]);
  wakes.fleetChanged(mine);
  await Promise.resolve();
  expect(heard).toHaveLength(4);
});
