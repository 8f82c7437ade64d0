import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { account, clusterA, clusterB, selector } from '../../../../test/support/relay/routing-fleet.js';
import type { ApiKeyId } from '../../../kernel/ids.js';
import { AdmissionQueue } from './admission-queue.js';
import type { Waiting } from './waiting.js';

const onePlace = { slots: 1, selectors: null };

/** One engine with slots, and keys that keep so many requests waiting and take so long for each. */
class Contest {
  nowMs = 0;
  free: number;
  arrivals = 0;
  readonly slotMs = new Map<string, number>();
  readonly order: string[] = [];
  readonly queue = new AdmissionQueue(1_000, { monotonicMs: () => this.nowMs });
  private readonly running: {
    readonly waiting: Waiting;
    readonly key: string;
    readonly ms: number;
    endsAtMs: number;
  }[] = [];

  constructor(slots: number) {
    this.free = slots;
  }

  arrive(key: string, ms: number): Waiting {
    const waiting: Waiting = {
      accountId: account,
      keyPublicId: key as ApiKeyId,
      arrival: this.arrivals++,
      tryStart: () => {
        if (this.free === 0) return false;
        this.free -= 1;
        this.order.push(key);
        this.queue.leave(waiting);
        this.running.push({ waiting, key, ms, endsAtMs: this.nowMs + ms });
        return true;
      },
    };
    this.queue.join(waiting, selector);
    return waiting;
  }

  /** The next that runs ends; its key sends another one at once. */
  step(): void {
    this.running.sort((one, other) => one.endsAtMs - other.endsAtMs);
    const done = this.running.shift();
    if (done === undefined) return;
    this.nowMs = done.endsAtMs;
    this.slotMs.set(done.key, (this.slotMs.get(done.key) ?? 0) + done.ms);
    this.arrive(done.key, done.ms);
    this.free += 1;
    this.queue.served(done.waiting, this.nowMs - done.ms);
    this.queue.slotsFreed(account, onePlace);
  }
}

describe('slots between the keys of an account', () => {
  test('a flooding key waits behind its own requests', () => {
    const contest = new Contest(0);
    for (let request = 0; request < 50; request += 1) contest.arrive('flood', 100);
    contest.arrive('small', 100);
    contest.free = 3;
    for (let slot = 0; slot < 3; slot += 1) contest.queue.slotsFreed(account, onePlace);
    expect(contest.order).toEqual(['flood', 'small', 'flood']);
  });

  test('slots of a cluster are offered only to requests that may use it', () => {
    const queue = new AdmissionQueue(1_000, { monotonicMs: () => 0 });
    const started: string[] = [];
    const wait = (name: string, scope: Waiting['scope']): void => {
      const waiting: Waiting = {
        accountId: account,
        arrival: started.length,
        ...(scope === undefined ? {} : { scope }),
        tryStart: () => {
          started.push(name);
          queue.leave(waiting);
          return true;
        },
      };
      queue.join(waiting, selector);
    };
    wait('other cluster', new Set([clusterB]));
    wait('this cluster', new Set([clusterA]));
    wait('any cluster', undefined);
    queue.slotsFreed(account, { slots: 3, selectors: null, cluster: clusterA });
    expect(started).toEqual(['this cluster', 'any cluster']);
    queue.slotsFreed(account, onePlace);
    expect(started).toEqual(['this cluster', 'any cluster', 'other cluster']);
  });

  test('charge a key for the time of its hedge', () => {
    const contest = new Contest(2);
    const started = [contest.arrive('hedging', 1_000), contest.arrive('other', 2_000)];
    contest.queue.slotsFreed(account, onePlace);
    contest.queue.slotsFreed(account, onePlace);
    contest.arrive('hedging', 1_000);
    contest.arrive('other', 2_000);
    contest.nowMs = 1_000;
    contest.queue.served({ accountId: account, keyPublicId: 'hedging' as ApiKeyId }, 600);
    contest.queue.served(started[0]!, 0);
    contest.nowMs = 2_000;
    contest.queue.served(started[1]!, 0);
    contest.free = 1;
    contest.queue.slotsFreed(account, onePlace);
    // 1.4 s against 2 s: had the second try settled what was charged for the first, it would be 2.4 s.
    expect(contest.order).toEqual(['hedging', 'other', 'hedging']);
  });

  test('slots between the keys of an account are shared by time, so that long answers cost more than short ones', () => {
    const contest = new Contest(1);
    for (let request = 0; request < 5; request += 1) {
      contest.arrive('long', 10_000);
      contest.arrive('short', 500);
    }
    contest.queue.slotsFreed(account, onePlace);
    for (let end = 0; end < 2_000; end += 1) contest.step();
    const [long, short] = [contest.slotMs.get('long') ?? 0, contest.slotMs.get('short') ?? 0];
    expect(short / (long + short)).toBeGreaterThan(0.4);
    expect(short / (long + short)).toBeLessThan(0.6);
  });

  test('no waiting key gets less than half of its fair share', () => {
    const key = fc.record({ ms: fc.integer({ min: 50, max: 20_000 }), waiting: fc.integer({ min: 8, max: 40 }) });
    fc.assert(
      fc.property(fc.array(key, { minLength: 2, maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (keys, slots) => {
        const contest = new Contest(slots);
        for (const [index, { ms, waiting }] of keys.entries()) {
          for (let request = 0; request < waiting; request += 1) contest.arrive(`key${index}`, ms);
        }
        for (let slot = 0; slot < slots; slot += 1) contest.queue.slotsFreed(account, onePlace);
        const untilMs = keys.length * slots * 20_000 * 20;
        for (let end = 0; end < 20_000 && contest.nowMs < untilMs; end += 1) contest.step();
        const total = [...contest.slotMs.values()].reduce((sum, ms) => sum + ms, 0);
        const longestMs = Math.max(...keys.map(({ ms }) => ms));
        for (const [index] of keys.entries()) {
          // What runs when the time is over is not counted: one request of every slot.
          const had = (contest.slotMs.get(`key${index}`) ?? 0) + slots * longestMs;
          expect(had / total).toBeGreaterThan(0.5 / keys.length);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a late key gets no credit for earlier time', () => {
    const contest = new Contest(1);
    for (let request = 0; request < 10; request += 1) contest.arrive('early', 1_000);
    contest.queue.slotsFreed(account, onePlace);
    for (let end = 0; end < 100; end += 1) contest.step();
    for (let request = 0; request < 10; request += 1) contest.arrive('late', 1_000);
    contest.order.length = 0;
    for (let end = 0; end < 10; end += 1) contest.step();
    expect(contest.order.filter((key) => key === 'late').length).toBeLessThanOrEqual(6);
  });
});

describe('headers for a waiting client', () => {
  test('the position, in fair order', () => {
    const contest = new Contest(0);
    const first = contest.arrive('a', 100);
    contest.arrive('a', 100);
    const third = contest.arrive('a', 100);
    const other = contest.arrive('b', 100);
    expect([first, third, other].map((waiting) => contest.queue.position(waiting, selector))).toEqual([2, 4, 2]);
  });

  test('Retry-After, by the rate of the queue', () => {
    const contest = new Contest(1);
    for (let request = 0; request < 10; request += 1) contest.arrive('a', 2_000);
    expect(contest.queue.retryAfterSeconds(account, selector)).toBe(1);
    contest.queue.slotsFreed(account, onePlace);
    for (let end = 0; end < 20; end += 1) contest.step();
    // One start in two seconds, ten ahead.
    expect(contest.queue.retryAfterSeconds(account, selector)).toBeGreaterThanOrEqual(18);
    expect(contest.queue.retryAfterSeconds(account, selector)).toBeLessThanOrEqual(22);
    contest.nowMs += 3_600_000;
    expect(contest.queue.retryAfterSeconds(account, selector)).toBe(60);
  });
});
