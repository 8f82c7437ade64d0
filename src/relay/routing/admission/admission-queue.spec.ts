import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { account, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { AccountId, ApiKeyId, ModelSelector } from '../../../kernel/ids.js';
import { AdmissionQueue } from './admission-queue.js';
import type { Waiting } from './waiting.js';

const onePlace = { slots: 1, selectors: null };

const otherAccount = 'acc_other' as AccountId;
const otherModel = 'mdl_ffffffffffffffff' as ModelSelector;

/** Requests that start while there are free slots of the kind they need. */
class Waiters {
  readonly started: string[] = [];
  readonly tried: string[] = [];
  free = 0;
  arrivals = 0;

  constructor(readonly queue: AdmissionQueue) {}

  add(name: string, needs: (waiters: Waiters) => boolean = () => true, of: AccountId = account): Waiting {
    const waiting: Waiting = {
      accountId: of,
      arrival: this.arrivals++,
      tryStart: () => {
        this.tried.push(name);
        if (this.free === 0 || !needs(this)) return false;
        this.free -= 1;
        this.started.push(name);
        this.queue.leave(waiting);
        return true;
      },
    };
    return waiting;
  }

  join(name: string, needs?: (waiters: Waiters) => boolean): Waiting {
    const waiting = this.add(name, needs);
    expect(this.queue.join(waiting, selector)).toBe(true);
    return waiting;
  }
}

/** Its time stands still, so that no turn is interrupted for having taken too long. */
const queueOf = (limit: number): AdmissionQueue => new AdmissionQueue(limit, { monotonicMs: () => 0 });
const waitersOf = (limit = 10): Waiters => new Waiters(queueOf(limit));

describe('admission queue', () => {
  test('starts the oldest request first, one per freed slot', () => {
    const waiters = waitersOf();
    for (const name of ['a', 'b', 'c']) waiters.join(name);
    waiters.free = 1;
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['a']);
    waiters.free = 2;
    waiters.queue.slotsFreed(account, onePlace);
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['a', 'b', 'c']);
    expect(waiters.queue.size).toBe(0);
  });

  test('a request that cannot use the slot does not block later ones', () => {
    const waiters = waitersOf();
    waiters.join('picky', () => false);
    waiters.join('easy');
    waiters.free = 1;
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['easy']);
  });

  test('free places wake only requests for their models, and no more than can start', () => {
    const waiters = waitersOf();
    waiters.queue.join(
      waiters.add('other', () => false),
      otherModel,
    );
    for (const name of ['a', 'b', 'c']) waiters.join(name);
    waiters.free = 5;
    waiters.queue.slotsFreed(account, { slots: 2, selectors: new Set([selector]) });
    expect(waiters.tried).toEqual(['a', 'b']);
    expect(waiters.started).toEqual(['a', 'b']);
  });

  test('lets other streams run while many requests are tried, and loses no place meanwhile', async () => {
    let nowMs = 0;
    const waiters = new Waiters(new AdmissionQueue(10, { monotonicMs: () => nowMs }));
    const slow = (): boolean => {
      nowMs += 2;
      return false;
    };
    waiters.free = 2;
    for (const name of ['a', 'b', 'c', 'd']) waiters.join(name, slow);
    waiters.join('last');
    waiters.queue.fleetChanged(account);
    expect(waiters.tried).toEqual(['a', 'b', 'c']);
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.tried).toEqual(['a', 'b', 'c']);
    await nextTurn();
    expect(waiters.started).toEqual(['last']);
    waiters.join('later');
    await nextTurn();
    await nextTurn();
    expect(waiters.tried.slice(0, 5)).toEqual(['a', 'b', 'c', 'd', 'last']);
    expect(waiters.tried.slice(5, 8)).toEqual(['a', 'b', 'c']);
  });

  test('a changed fleet wakes all requests', () => {
    const waiters = waitersOf();
    for (const name of ['a', 'b', 'c']) waiters.join(name);
    waiters.free = 2;
    waiters.queue.fleetChanged(account);
    expect(waiters.started).toEqual(['a', 'b']);
    expect(waiters.tried).toEqual(['a', 'b', 'c']);
  });

  test('a refused request keeps its position', () => {
    const waiters = waitersOf();
    const first = waiters.join('first');
    waiters.join('second');
    waiters.queue.leave(first);
    waiters.queue.join(first, selector);
    waiters.free = 1;
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['first']);
  });

  test('the queue is bounded per account and model', () => {
    const line = waitersOf(2);
    const { queue } = line;
    expect(queue.join(line.add('a'), selector)).toBe(true);
    expect(queue.join(line.add('b'), selector)).toBe(true);
    expect(queue.join(line.add('c'), selector)).toBe(false);
    expect(queue.join(line.add('d'), otherModel)).toBe(true);
    expect(queue.join(line.add('e', undefined, otherAccount), selector)).toBe(true);
    expect([queue.length(account, selector), queue.length(account, otherModel), queue.size]).toEqual([2, 1, 4]);
  });

  test('a slot of another account wakes no request', () => {
    const waiters = waitersOf();
    waiters.join('a');
    waiters.free = 1;
    waiters.queue.slotsFreed(otherAccount, onePlace);
    expect(waiters.tried).toEqual([]);
  });

  test('a request that left is not woken; leaving twice is a no-op', () => {
    const waiters = waitersOf();
    const gone = waiters.join('gone');
    waiters.join('here');
    waiters.queue.leave(gone);
    waiters.queue.leave(gone);
    waiters.free = 1;
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['here']);
  });

  test('a slot freed while others are started is used', () => {
    const waiters = waitersOf();
    const crashing: Waiting = {
      accountId: account,
      arrival: -1,
      tryStart: () => {
        waiters.queue.leave(crashing);
        // It took the slot and lost it at once, and so did somebody else.
        waiters.free += 1;
        waiters.queue.slotsFreed(account, onePlace);
        waiters.queue.slotsFreed(account, onePlace);
        return true;
      },
    };
    waiters.queue.join(crashing, selector);
    for (const name of ['a', 'b', 'c']) waiters.join(name);
    waiters.free = 1;
    waiters.queue.slotsFreed(account, onePlace);
    expect(waiters.started).toEqual(['a', 'b']);
  });
});

describe('a request refused synchronously while the queue is served', () => {
  interface Refusable extends Waiting {
    tries: number;
  }
  const keyed = (queue: AdmissionQueue, key: string, arrival: number, refusals: number, order: string[]): Refusable => {
    let left = refusals;
    const waiting: Refusable = {
      accountId: account,
      keyPublicId: key as ApiKeyId,
      arrival,
      tries: 0,
      tryStart: () => {
        waiting.tries += 1;
        queue.leave(waiting);
        if (left > 0) {
          left -= 1;
          queue.join(waiting, selector);
          return false;
        }
        order.push(key);
        return true;
      },
    };
    return waiting;
  };

  test('returns to its queue, and keys started before it stay charged', () => {
    const queue = queueOf(10);
    const order: string[] = [];
    for (const waiting of [keyed(queue, 'started', 1, 0, order), keyed(queue, 'refused', 2, 1, order)]) {
      queue.join(waiting, selector);
    }
    queue.fleetChanged(account);
    expect(order).toEqual(['started']);
    // Earlier than the one that waits, but its key has a slot already.
    queue.join(keyed(queue, 'started', 0, 0, order), selector);
    queue.slotsFreed(account, onePlace);
    expect(order).toEqual(['started', 'refused']);
  });

  test('a request refused synchronously while the queue is served is tried once per wake, and leaves no state when it has started', () => {
    const queue = queueOf(10);
    const waiting = keyed(queue, 'key', 1, 1, []);
    queue.join(waiting, selector);
    queue.fleetChanged(account);
    expect([waiting.tries, queue.size]).toEqual([1, 1]);
    queue.fleetChanged(account);
    expect([waiting.tries, queue.size]).toEqual([2, 0]);
    expect(queue.retryAfterSeconds(account, selector)).toBeUndefined();
  });
});
