import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { DrainRegistry } from './drain-registry.js';

const onProblem = jest.fn<(name: string, error: unknown) => void>();

beforeEach(() => {
  jest.clearAllMocks();
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

describe('DrainRegistry', () => {
  it('DrainRegistry is draining before any participant is stopped', () => {
    const registry = new DrainRegistry();
    expect(registry.draining).toBe(false);
    registry.begin();
    expect(registry.draining).toBe(true);
  });

  it('gives all participants the same deadline at once, and ends with the last', async () => {
    const clock = new ManualClock(5_000);
    const registry = new DrainRegistry(clock);
    const deadlines: number[] = [];
    const ends: (() => void)[] = [];
    for (const name of ['links', 'requests']) {
      registry.register({
        name,
        drain: (deadlineMs) => {
          deadlines.push(deadlineMs);
          return new Promise((resolve) => ends.push(resolve));
        },
      });
    }
    let over = false;
    const draining = registry.drain({ timeoutMs: 30_000, onProblem }).then(() => (over = true));
    expect(deadlines).toEqual([35_000, 35_000]);
    ends[0]!();
    await jest.advanceTimersByTimeAsync(0);
    expect(over).toBe(false);
    ends[1]!();
    await draining;
    expect(onProblem).not.toHaveBeenCalled();
  });

  it('waits for a bounded time, and isolates failures', async () => {
    const registry = new DrainRegistry(new ManualClock());
    const others = jest.fn(() => Promise.resolve());
    registry.register({ name: 'fails', drain: () => Promise.reject(new Error('a bug')) });
    registry.register({
      name: 'throws',
      drain: () => {
        throw new Error('a bug');
      },
    });
    registry.register({ name: 'hangs', drain: () => new Promise(() => undefined) });
    registry.register({ name: 'others', drain: others });
    const draining = registry.drain({ timeoutMs: 1_000, onProblem });
    await jest.advanceTimersByTimeAsync(3_000);
    await draining;
    expect(others).toHaveBeenCalledTimes(1);
    expect(onProblem.mock.calls.map(([name]) => name).sort()).toEqual(['fails', 'hangs', 'throws']);
  });
});
