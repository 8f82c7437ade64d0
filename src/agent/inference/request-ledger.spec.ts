import { expect, test } from '@jest/globals';
import { ManualClock } from '../../../test/support/clock/manual-clock.js';
import { RequestLedger } from './request-ledger.js';

test('remembers a request for ten minutes', () => {
  const clock = new ManualClock();
  const ledger = new RequestLedger(clock);
  ledger.add('early');
  clock.advance(9 * 60_000);
  ledger.add('late');
  clock.advance(60_000 - 1);
  ledger.add('last');
  expect(['early', 'late', 'last', 'never'].map((id) => ledger.has(id))).toEqual([true, true, true, false]);
  clock.advance(1);
  ledger.add('another');
  expect(['early', 'late'].map((id) => ledger.has(id))).toEqual([false, true]);
});

test('remembers between ten and twenty thousand requests', () => {
  const ledger = new RequestLedger(new ManualClock());
  for (let id = 0; id < 50_000; id += 1) ledger.add(String(id));
  const remembered = Array.from({ length: 50_000 }, (_, id) => ledger.has(String(id)));
  expect(remembered.slice(-10_000)).not.toContain(false);
  expect(remembered.filter(Boolean).length).toBeLessThanOrEqual(20_000);
});
