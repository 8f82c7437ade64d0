import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { StorageAllowance } from './storage-allowance.js';

describe('the allowance of stored records', () => {
  const taken = (allowance: StorageAllowance, isOrdinary: boolean): number => {
    let count = 0;
    while (allowance.take(isOrdinary)) count += 1;
    return count;
  };

  it('the allowance of stored records leaves half of its burst to those that are not ordinary', () => {
    const allowance = new StorageAllowance(5, new ManualClock());
    expect([taken(allowance, true), taken(allowance, false)]).toEqual([50, 50]);
  });

  it('the allowance of stored records is renewed with time, up to its burst', () => {
    const clock = new ManualClock();
    const allowance = new StorageAllowance(5, clock);
    taken(allowance, false);
    clock.advance(2_000);
    expect([taken(allowance, true), taken(allowance, false)]).toEqual([0, 10]);
    clock.advance(3_600_000);
    expect(taken(allowance, false)).toBe(100);
  });

  it('the allowance of stored records is empty where nothing may be stored', () => {
    expect(new StorageAllowance(0, new ManualClock()).take(false)).toBe(false);
  });
});
