import { expect, test } from '@jest/globals';
import type { AccountId } from '../../../kernel/ids.js';
import { WakeCoalescer } from './admission-queue.js';

const [mine, other] = ['acc_mine', 'acc_other'] as AccountId[] as [AccountId, AccountId];

test('wakes once per account and turn, after all other listeners', async () => {
  const received: string[] = [];
  const wakes = new WakeCoalescer((accountId) => received.push(accountId));
  wakes.fleetChanged(mine);
  wakes.fleetChanged(mine);
  wakes.fleetChanged(other);
  received.push('the inventory');
  await Promise.resolve();
  expect(received).toEqual(['the inventory', mine, other]);
  wakes.fleetChanged(mine);
  await Promise.resolve();
  expect(received).toHaveLength(4);
});
