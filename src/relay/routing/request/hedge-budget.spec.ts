import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { AccountId } from '../../../kernel/ids.js';
import { HedgeBudget } from './hedge-budget.js';

const [one, other] = ['acc_one' as AccountId, 'acc_other' as AccountId];

/** Takes whatever it may. @returns how many that were */
const takeAll = (budget: HedgeBudget, account = one): number => {
  let taken = 0;
  for (; budget.has(account); taken += 1) budget.take(account);
  return taken;
};

describe('the hedge budget', () => {
  test('the hedge budget is never exceeded under any arrivals and delays', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.array(fc.boolean(), { maxLength: 500 }), (percent, steps) => {
        const budget = new HedgeBudget(percent);
        let requests = 0;
        let hedges = 0;
        for (const late of steps) {
          requests += 1;
          budget.earn(one);
          if (!late || !budget.has(one)) continue;
          budget.take(one);
          hedges += 1;
        }
        expect(hedges).toBeLessThanOrEqual((requests * percent) / 100);
      }),
    );
  });

  test('starts empty, per account', () => {
    const budget = new HedgeBudget(50);
    expect(budget.has(one)).toBe(false);
    for (let request = 0; request < 10; request += 1) budget.earn(one);
    expect(takeAll(budget, other)).toBe(0);
    expect(takeAll(budget)).toBe(5);
  });

  test('the hedge budget does not accumulate over a quiet hour', () => {
    const budget = new HedgeBudget(5);
    for (let request = 0; request < 100_000; request += 1) budget.earn(one);
    expect(takeAll(budget)).toBe(10);
  });

  test('the hedge budget is refunded when a node refuses', () => {
    const budget = new HedgeBudget(100);
    budget.earn(one);
    budget.take(one);
    budget.giveBack(one);
    expect(takeAll(budget)).toBe(1);
  });

  test('keeps a bounded number of accounts', () => {
    const budget = new HedgeBudget(100, 1);
    budget.earn(one);
    budget.earn(other);
    expect([budget.has(one), budget.has(other)]).toEqual([false, true]);
  });
});
