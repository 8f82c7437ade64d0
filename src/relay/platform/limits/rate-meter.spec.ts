import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { RateMeter } from './rate-meter.js';

describe('a rate meter', () => {
  test('rounds waits without floating-point error: half a minute is never 31 seconds', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (nowMs) => {
        const meter = new RateMeter();
        meter.use(2, 2, nowMs);
        expect(meter.allowance(2, nowMs)).toEqual({ limit: 2, remaining: 0, resetMs: 60_000 });
        expect(meter.waitMs(2, nowMs)).toBe(30_000);
      }),
    );
  });

  test('admits the exact limit despite binary fractions', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 100_000 }),
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        (perMinute, nowMs) => {
          const meter = new RateMeter();
          meter.use(perMinute - 1, perMinute, nowMs);
          expect(meter.waitMs(perMinute, nowMs)).toBe(0);
          expect(meter.allowance(perMinute, nowMs).remaining).toBe(1);
          meter.use(1, perMinute, nowMs);
          expect(meter.waitMs(perMinute, nowMs)).toBeGreaterThan(0);
        },
      ),
    );
  });

  test('a rate meter with a shorter burst holds that share of the rate, at least one', () => {
    const meter = new RateMeter(10_000);
    expect([3, 60, 600].map((perMinute) => meter.allowance(perMinute, 0).remaining)).toEqual([1, 10, 100]);
  });
});
