import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ChangePoll } from './change-poll.js';

const EVERY_MS = 5_000;

let read: jest.Mock<() => Promise<void>>;
let failures: unknown[];
let poll: ChangePoll;

beforeEach(() => {
  jest.useFakeTimers();
  read = jest.fn(() => Promise.resolve());
  failures = [];
  poll = new ChangePoll({ read, everyMs: EVERY_MS, onFailure: (error) => failures.push(error) });
});
afterEach(async () => {
  await poll.stop();
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('a poll for changes', () => {
  it('reads at intervals', async () => {
    poll.start();
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS + 10);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('reads soon after a notice, once for a burst of them', async () => {
    poll.start();
    for (let notices = 0; notices < 100; notices += 1) poll.notice();
    await jest.advanceTimersByTimeAsync(100);
    expect(read).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reads again after a notice that came during a read, and never twice at once', async () => {
    let running = 0;
    let most = 0;
    read.mockImplementation(async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 500));
      running -= 1;
    });
    poll.start();
    poll.notice();
    await jest.advanceTimersByTimeAsync(200);
    poll.notice();
    await jest.advanceTimersByTimeAsync(1_200);
    expect([read.mock.calls.length, most]).toEqual([2, 1]);
  });

  it('continues after failures, and reports an outage once', async () => {
    poll.start();
    read.mockRejectedValue(new Error('no database'));
    await jest.advanceTimersByTimeAsync(3 * EVERY_MS + 10);
    expect([read.mock.calls.length, failures.length]).toEqual([3, 1]);
    read.mockResolvedValue(undefined);
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    read.mockRejectedValue(new Error('again'));
    await jest.advanceTimersByTimeAsync(EVERY_MS);
    expect(failures).toHaveLength(2);
  });

  it('ignores notices before its start and after its end', async () => {
    poll.notice();
    poll.start();
    await poll.stop();
    poll.notice();
    await jest.advanceTimersByTimeAsync(2 * EVERY_MS);
    expect(read).not.toHaveBeenCalled();
  });
});
