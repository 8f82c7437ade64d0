import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import { OverloadGuard } from './overload-guard.js';

Logger.overrideLogger(false);

describe('OverloadGuard', () => {
  let delayMs: number;
  let heapPercent: number;
  let running: number;
  let guard: OverloadGuard;

  const create = (limits = { overloadLoopDelayMs: 250, overloadHeapPercent: 80 }, random = 0.5): void => {
    guard = new OverloadGuard(limits, () => random, {
      loopDelayMs: () => delayMs,
      heapPercent: () => heapPercent,
      stop: () => undefined,
    });
    guard.countRunningBy(() => running);
  };

  const refusal = (): FerryError | null => {
    try {
      guard.admit();
      return null;
    } catch (error) {
      return error as FerryError;
    }
  };

  beforeEach(() => {
    delayMs = 1;
    heapPercent = 10;
    running = 1;
    create();
  });

  it('refuses with a Retry-After once the event loop was late in two windows, and accepts after a good one', () => {
    delayMs = 300;
    guard.check();
    expect(refusal()).toBeNull();
    guard.check();
    expect(refusal()).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 3 });
    expect(refusal()?.message).toContain('300 ms late');
    delayMs = 250;
    guard.check();
    expect(refusal()).toBeNull();
  });

  it('refuses while the heap is nearly full', () => {
    heapPercent = 81;
    guard.check();
    guard.check();
    expect(refusal()?.message).toContain('81 % of its heap');
  });

  it('accepts when nothing runs: refusing would not help then', () => {
    heapPercent = 99;
    running = 0;
    guard.check();
    guard.check();
    expect(refusal()).toBeNull();
    running = 1;
    guard.check();
    expect(refusal()).not.toBeNull();
    running = 0;
    guard.check();
    expect(refusal()).toBeNull();
  });

  it('spreads the retries over one to five seconds', () => {
    for (const [random, seconds] of [
      [0, 1],
      [1, 5],
    ] as const) {
      create(undefined, random);
      delayMs = 1_000;
      guard.check();
      guard.check();
      expect(refusal()?.retryAfterSeconds).toBe(seconds);
    }
  });

  it('has no limit where the setting is 0', () => {
    create({ overloadLoopDelayMs: 0, overloadHeapPercent: 0 });
    delayMs = 10_000;
    heapPercent = 100;
    guard.check();
    guard.check();
    expect(refusal()).toBeNull();
  });

  it('measures this process', async () => {
    guard = new OverloadGuard({ overloadLoopDelayMs: 100, overloadHeapPercent: 0 });
    guard.countRunningBy(() => 1);
    const blocked = (): Promise<void> =>
      new Promise((resolve) => {
        setTimeout(() => {
          const end = performance.now() + 300;
          while (performance.now() < end);
          setTimeout(resolve, 50);
        }, 50);
      });
    await blocked();
    guard.check();
    await blocked();
    guard.check();
    expect(refusal()?.message).toMatch(/event loop is \d+ ms late/);
    guard.onApplicationShutdown();
  });
});
