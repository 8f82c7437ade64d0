import { describe, expect, it } from '@jest/globals';
import { CreditWaiters, type CreditWaiter } from './credit-waiters.js';

class Waiter implements CreditWaiter {
  expired = 0;
  constructor(
    private readonly name: string,
    private readonly log: string[],
    private readonly outcomes: { sent: number; done: boolean }[],
  ) {}
  resume(): { sent: number; done: boolean } {
    this.log.push(this.name);
    return this.outcomes.shift() ?? { sent: 0, done: false };
  }
  expire(): void {
    this.expired += 1;
  }
}

describe('CreditWaiters', () => {
  it('expires a waiter once, after the deadline and not before', () => {
    const waiters = new CreditWaiters(60_000);
    const waiter = new Waiter('a', [], []);
    waiters.add(waiter, 0);
    waiters.expireOverdue(59_999);
    expect(waiter.expired).toBe(0);
    waiters.expireOverdue(60_000);
    waiters.expireOverdue(60_001);
    expect(waiter.expired).toBe(1);
  });

  it('restarts the deadline when some bytes were sent', () => {
    const waiters = new CreditWaiters(60_000);
    const waiter = new Waiter('a', [], [{ sent: 10, done: false }]);
    waiters.add(waiter, 0);
    waiters.resume(waiter, 59_000);
    waiters.expireOverdue(118_999);
    expect(waiter.expired).toBe(0);
    waiters.expireOverdue(119_000);
    expect(waiter.expired).toBe(1);
  });

  it('CreditWaiters does not restart the deadline for a grant that could not be used', () => {
    const waiters = new CreditWaiters(60_000);
    const waiter = new Waiter('a', [], [{ sent: 0, done: false }]);
    waiters.add(waiter, 0);
    waiters.resume(waiter, 59_000);
    waiters.expireOverdue(60_000);
    expect(waiter.expired).toBe(1);
  });

  it('serves waiters in turn: a served waiter goes to the end', () => {
    const log: string[] = [];
    const waiters = new CreditWaiters(60_000);
    waiters.add(new Waiter('a', log, [{ sent: 1, done: false }]), 0);
    waiters.add(new Waiter('b', log, [{ sent: 0, done: false }]), 0);
    waiters.resumeAll(1);
    waiters.resumeAll(2);
    expect(log).toEqual(['a', 'b', 'b', 'a']);
  });

  it('forgets a waiter that is done or removed', () => {
    const log: string[] = [];
    const waiters = new CreditWaiters(60_000);
    const done = new Waiter('a', log, [{ sent: 1, done: true }]);
    const removed = new Waiter('b', log, []);
    waiters.add(done, 0);
    waiters.add(removed, 0);
    waiters.remove(removed);
    waiters.resume(done, 1);
    waiters.resume(done, 2);
    waiters.resume(removed, 2);
    expect(log).toEqual(['a']);
    expect(waiters.size).toBe(0);
  });
});
