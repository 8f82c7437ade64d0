import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { burstOf, KeyedRate } from './keyed-rate.js';

const policy = { name: 'credential', perMinute: 60 };

describe('a rate of 60 a minute', () => {
  it('allows a burst of ten seconds, then one a second', () => {
    const clock = new ManualClock();
    const rate = new KeyedRate(policy, 10, clock);
    const burst = Array.from({ length: 11 }, () => rate.take('a'));
    expect(burst.map(({ allowed }) => allowed)).toEqual([...Array<boolean>(10).fill(true), false]);
    expect(burst.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
    expect(burst.at(-1)).toMatchObject({ waitMs: 1_000, resetMs: 10_000 });
    clock.advance(999);
    expect(rate.take('a').allowed).toBe(false);
    clock.advance(1);
    expect(rate.take('a')).toMatchObject({ allowed: true, waitMs: 0 });
    expect(rate.take('a').allowed).toBe(false);
  });

  it('a rate of 60 a minute does not charge refused requests', () => {
    const clock = new ManualClock();
    const rate = new KeyedRate(policy, 10, clock);
    for (let request = 0; request < 100; request += 1) rate.take('a');
    clock.advance(1_000);
    expect(rate.take('a').allowed).toBe(true);
  });

  it('counts per key, and evicts the idlest beyond its bound', () => {
    const clock = new ManualClock();
    const rate = new KeyedRate(policy, 2, clock);
    for (let request = 0; request < 10; request += 1) rate.take('a');
    expect(rate.take('b').remaining).toBe(9);
    expect(rate.peek('a').allowed).toBe(false);
    rate.take('b');
    rate.take('c');
    expect(rate.peek('a')).toMatchObject({ allowed: true, remaining: 10 });
  });

  it.each([7, 18, 34, 59, 61, 601, 6_001])('allows its whole burst at once, also at %i a minute', (perMinute) => {
    const clock = new ManualClock();
    clock.advance(123_456_789.3);
    const odd = { name: 'odd', perMinute };
    const rate = new KeyedRate(odd, 1, clock);
    const allowed = Array.from({ length: burstOf(odd) + 1 }, () => rate.take('a').allowed);
    expect(allowed).toEqual([...Array<boolean>(burstOf(odd)).fill(true), false]);
  });

  it('never exceeds rate and burst in any pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 200 }), (pauses) => {
        const clock = new ManualClock();
        const rate = new KeyedRate(policy, 1, clock);
        let passedMs = 0;
        let allowed = 0;
        for (const pause of pauses) {
          clock.advance(pause);
          passedMs += pause;
          if (rate.take('a').allowed) allowed += 1;
          expect(allowed).toBeLessThanOrEqual(10 + Math.floor(passedMs / 1_000));
        }
      }),
    );
  });
});
