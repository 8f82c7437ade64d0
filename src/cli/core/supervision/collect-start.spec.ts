import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { collectOnceQuiet } from './collect-start.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('what a start leaves in memory', () => {
  it('is collected once, when the service has been quiet for 20 s', () => {
    const collect = jest.fn();
    const shares = [0.9, 0.5, 0.03, 0.01];
    collectOnceQuiet(collect, () => shares.shift() ?? 0);
    jest.advanceTimersByTime(59_000);
    expect(collect).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1_000);
    expect(collect).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(600_000);
    expect(collect).toHaveBeenCalledTimes(1);
  });

  it('stays when the service stops before', () => {
    const collect = jest.fn();
    collectOnceQuiet(collect, () => 0)();
    jest.advanceTimersByTime(60_000);
    expect(collect).not.toHaveBeenCalled();
  });

  it('is less afterwards', () => {
    let garbage: object[] | null = Array.from({ length: 300_000 }, (_, index) => ({ index }));
    expect(garbage).toHaveLength(300_000);
    garbage = null;
    const before = process.memoryUsage().heapUsed;
    collectOnceQuiet(undefined, () => 0);
    jest.advanceTimersByTime(20_000);
    expect(process.memoryUsage().heapUsed).toBeLessThan(before - 2_000_000);
  });
});
