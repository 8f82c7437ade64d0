import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import { OverloadGuard } from './overload-guard.js';
import type { LongTurn, ProcessUse } from './process-load.js';

Logger.overrideLogger(false);

describe('OverloadGuard', () => {
  let use: ProcessUse;
  let turn: LongTurn | null;
  let heapPercent: number;
  let running: number;
  let guard: OverloadGuard;

  const create = (limits = { overloadLoopDelayMs: 250, overloadHeapPercent: 80 }, random = 0.5): void => {
    guard = new OverloadGuard(limits, () => random, {
      timeTurn: () => turn,
      take: () => use,
      heapPercent: () => heapPercent,
    });
    guard.countRunningBy(() => running);
    guard.admit();
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
    jest.useFakeTimers();
    use = { elapsedMs: 250, loopShare: 0.1, coreShare: 0.1, longestTurnMs: 1 };
    turn = null;
    heapPercent = 10;
    running = 1;
    create();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  const saturated: ProcessUse = { elapsedMs: 250, loopShare: 1, coreShare: 1, longestTurnMs: 300 };

  const windows = (count: number): void => {
    for (let window = 0; window < count; window += 1) guard.check();
  };

  it('refuses with a Retry-After once its own work made the event loop late three times in a row, and accepts when it waits again', () => {
    use = saturated;
    windows(2);
    expect(refusal()).toBeNull();
    windows(1);
    expect(refusal()).toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 3 });
    expect(refusal()?.message).toContain('300 ms late');
    use = { ...saturated, loopShare: 0.9 };
    windows(1);
    expect(refusal()).toBeNull();
  });

  it('refuses after two looks when long turns keep it from looking more often, and not after one', () => {
    use = { ...saturated, elapsedMs: 1_500, longestTurnMs: 1_500 };
    windows(1);
    expect(refusal()).toBeNull();
    windows(1);
    expect(refusal()?.message).toContain('1500 ms late');
  });

  it('accepts again after one look without a long turn, though it still works without a break', () => {
    use = saturated;
    windows(3);
    use = { ...saturated, longestTurnMs: 250 };
    windows(1);
    expect(refusal()).toBeNull();
  });

  describe('while its turns are short and it works without a break', () => {
    const respond = (...delaysMs: number[]): void => {
      for (const delayMs of delaysMs) guard.passed(delayMs);
    };

    beforeEach(() => {
      use = { ...saturated, longestTurnMs: 40 };
    });

    it('refuses when most responses come later than their nodes have sent them', () => {
      for (const delays of [
        [900, 600, 20],
        [700, 800, 30],
        [500, 1_000, 10],
      ]) {
        respond(...delays);
        windows(1);
      }
      expect(refusal()?.message).toContain('500 ms late');
      respond(20, 900);
      windows(1);
      expect(refusal()).toBeNull();
    });

    it('refuses none when some are late, or what they say is impossible', () => {
      for (let window = 0; window < 3; window += 1) {
        respond(900, 20, -5_000);
        windows(1);
      }
      expect(refusal()).toBeNull();
    });

    it('refuses none while it waits for work, however late responses are', () => {
      use = { ...use, coreShare: 0.4 };
      for (let window = 0; window < 3; window += 1) {
        respond(900, 900);
        windows(1);
      }
      expect(refusal()).toBeNull();
    });
  });

  it('refuses the rest of a long turn that reads many requests at once', () => {
    turn = { elapsedMs: 1_200, coreShare: 0.95, requests: 80 };
    expect(refusal()?.message).toContain('1200 ms');
    for (const changes of [{ elapsedMs: 900 }, { coreShare: 0.5 }, { requests: 20 }]) {
      turn = { elapsedMs: 1_200, coreShare: 0.95, requests: 80, ...changes };
      expect(refusal()).toBeNull();
    }
  });

  it.each([
    ['other programs have the processor: its event loop is never idle, and hardly runs', { coreShare: 0.18 }],
    ['it shares its core with one other program', { coreShare: 0.55 }],
    ['it waits for work between long turns', { loopShare: 0.9 }],
    ['it works without a break, in short turns', { longestTurnMs: 40 }],
  ])('refuses none when %s', (_when, changes) => {
    use = { ...saturated, longestTurnMs: 5_000, ...changes };
    windows(5);
    expect(refusal()).toBeNull();
  });

  it('refuses while the heap is nearly full', () => {
    heapPercent = 81;
    windows(3);
    expect(refusal()?.message).toContain('81 % of its heap');
  });

  it('accepts when nothing runs: refusing would not help then', () => {
    heapPercent = 99;
    running = 0;
    windows(4);
    expect(refusal()).toBeNull();
    running = 1;
    windows(4);
    expect(refusal()).not.toBeNull();
    running = 0;
    windows(1);
    expect(refusal()).toBeNull();
  });

  it('spreads the retries over one to five seconds', () => {
    for (const [random, seconds] of [
      [0, 1],
      [1, 5],
    ] as const) {
      create(undefined, random);
      use = saturated;
      windows(4);
      expect(refusal()?.retryAfterSeconds).toBe(seconds);
    }
  });

  it('OverloadGuard has no limit where the setting is 0', () => {
    create({ overloadLoopDelayMs: 0, overloadHeapPercent: 0 });
    use = { ...saturated, longestTurnMs: 10_000 };
    turn = { elapsedMs: 10_000, coreShare: 1, requests: 1_000 };
    heapPercent = 100;
    windows(5);
    expect(refusal()).toBeNull();
  });

  it('OverloadGuard has a timer only while requests run', () => {
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(500);
    expect(jest.getTimerCount()).toBe(1);
    running = 0;
    jest.advanceTimersByTime(500);
    expect(jest.getTimerCount()).toBe(0);
    expect(refusal()).toBeNull();
    expect(jest.getTimerCount()).toBe(1);
    guard.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
  });
});
