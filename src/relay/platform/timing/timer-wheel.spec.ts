import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { TimerWheel } from './timer-wheel.js';

let clock: ManualClock;
let wheel: TimerWheel;

beforeEach(() => {
  clock = new ManualClock();
  wheel = new TimerWheel({ clock });
});

const pass = (milliseconds: number, stepMs = 20): void => {
  for (let passed = 0; passed < milliseconds; passed += stepMs) {
    clock.advance(Math.min(stepMs, milliseconds - passed));
    wheel.advance();
  }
};

describe('TimerWheel', () => {
  it('fires once, never early and at most two ticks late, also beyond one turn of the wheel', () => {
    for (const delayMs of [0, 1, 19, 20, 21, 999, 10_239, 10_240, 10_241, 15_000, 60_000]) {
      const start = clock.monotonicMs();
      const fired: number[] = [];
      wheel.schedule(delayMs, () => fired.push(clock.monotonicMs() - start));
      pass(delayMs + 100);
      expect(fired).toHaveLength(1);
      expect(fired[0]).toBeGreaterThanOrEqual(delayMs);
      expect(fired[0]).toBeLessThanOrEqual(delayMs + 40);
    }
    expect(wheel.size).toBe(0);
  });

  it('TimerWheel does not fire cancelled timers; a second cancel is a no-op', () => {
    const callback = jest.fn();
    const timer = wheel.schedule(100, callback);
    timer.cancel();
    timer.cancel();
    expect(wheel.size).toBe(0);
    pass(500);
    expect(callback).not.toHaveBeenCalled();
  });

  it('TimerWheel can be restarted any number of times', () => {
    const callback = jest.fn();
    const timer = wheel.schedule(100, callback);
    for (let event = 0; event < 50; event += 1) {
      pass(80);
      timer.restart();
    }
    expect(callback).not.toHaveBeenCalled();
    pass(140);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('keeps a sooner deadline when a restart asks for one', () => {
    const callback = jest.fn();
    const timer = wheel.schedule(60_000, callback);
    timer.restart(50);
    pass(100);
    expect(callback).toHaveBeenCalledTimes(1);
    expect(wheel.size).toBe(0);
  });

  it('revives a timer that fired or was cancelled', () => {
    const callback = jest.fn();
    const timer = wheel.schedule(10, callback);
    pass(60);
    timer.restart();
    pass(60);
    timer.restart();
    timer.cancel();
    timer.restart(10);
    pass(60);
    expect(callback).toHaveBeenCalledTimes(3);
  });

  it('catches up after a stalled event loop', () => {
    const callback = jest.fn();
    for (let delayMs = 0; delayMs < 30_000; delayMs += 500) wheel.schedule(delayMs, callback);
    clock.advance(3_600_000);
    wheel.advance();
    expect(callback).toHaveBeenCalledTimes(60);
    expect(wheel.size).toBe(0);
  });

  it('allows scheduling from callbacks', () => {
    const order: string[] = [];
    const other = wheel.schedule(60, () => order.push('other'));
    wheel.schedule(10, () => {
      order.push('first');
      other.cancel();
      wheel.schedule(10, () => order.push('second'));
    });
    pass(100);
    expect(order).toEqual(['first', 'second']);
  });

  it('continues when a callback throws', () => {
    const onError = jest.fn();
    wheel = new TimerWheel({ clock, onError });
    const callback = jest.fn();
    wheel.schedule(10, () => {
      throw new Error('a bug');
    });
    wheel.schedule(10, callback);
    pass(60);
    expect(onError).toHaveBeenCalledTimes(1);
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('fires on time under any sequence of operations', () => {
    const operation = fc.record({
      timer: fc.nat(9),
      kind: fc.constantFrom('restart', 'cancel'),
      delayMs: fc.integer({ min: 0, max: 25_000 }),
      waitMs: fc.integer({ min: 0, max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const time = new ManualClock();
        const tested = new TimerWheel({ clock: time });
        const deadlines: (number | undefined)[] = Array.from({ length: 10 }, () => undefined);
        const timers = deadlines.map((_none, index) => {
          const timer = tested.schedule(0, () => {
            const deadline = deadlines[index];
            expect(deadline).toBeDefined();
            expect(time.monotonicMs()).toBeGreaterThanOrEqual(deadline!);
            expect(time.monotonicMs()).toBeLessThanOrEqual(deadline! + 40);
            deadlines[index] = undefined;
          });
          timer.cancel();
          return timer;
        });
        const wait = (milliseconds: number): void => {
          for (let passed = 0; passed < milliseconds; passed += 20) {
            time.advance(20);
            tested.advance();
          }
        };
        for (const { timer, kind, delayMs, waitMs } of operations) {
          if (kind === 'restart') {
            deadlines[timer] = time.monotonicMs() + delayMs;
            timers[timer]!.restart(delayMs);
          } else {
            deadlines[timer] = undefined;
            timers[timer]!.cancel();
          }
          wait(waitMs);
        }
        wait(25_100);
        expect(deadlines.every((deadline) => deadline === undefined)).toBe(true);
        expect(tested.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});
