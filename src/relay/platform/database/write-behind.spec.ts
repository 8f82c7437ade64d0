import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppendedItems, type PendingItems } from './pending-items.js';
import { WriteBehind } from './write-behind.js';

interface Item {
  readonly version: number;
}

const write = jest.fn<(batch: readonly Item[]) => Promise<void>>();
let failures: unknown[];

const create = (retryPosition?: 'first' | 'last', pending?: PendingItems<Item>): WriteBehind<Item> =>
  new WriteBehind({
    write,
    batchItems: 2,
    retryMs: 5_000,
    ...(retryPosition === undefined ? {} : { retryPosition }),
    ...(pending === undefined ? {} : { pending }),
    onFailure: (error) => failures.push(error),
  });

const writtenVersions = (): number[][] => write.mock.calls.map(([batch]) => batch.map(({ version }) => version));

beforeEach(() => {
  jest.useFakeTimers();
  write.mockReset().mockResolvedValue(undefined);
  failures = [];
});
afterEach(() => {
  jest.useRealTimers();
});

describe('WriteBehind', () => {
  it('writes the newest item of each key, in batches, when the earliest delay is over', async () => {
    const items = create();
    items.put('a', { version: 1 }, 1_000);
    items.put('b', { version: 2 }, 3_000);
    items.put('c', { version: 3 }, 3_000);
    items.put('a', { version: 4 }, 3_000);
    await jest.advanceTimersByTimeAsync(999);
    expect(write).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(writtenVersions()).toEqual([[4, 2], [3]]);
    expect(items.idle).toBe(true);
  });

  it('keeps an item that was replaced while it was written', async () => {
    const items = create();
    write.mockImplementationOnce(() => {
      items.put('a', { version: 2 }, 500);
      return Promise.resolve();
    });
    items.put('a', { version: 1 }, 0);
    await jest.advanceTimersByTimeAsync(500);
    expect(writtenVersions()).toEqual([[1], [2]]);
  });

  it('pauses after a failure, however urgent the next item is', async () => {
    const items = create();
    write.mockRejectedValueOnce(new Error('away'));
    items.put('a', { version: 1 }, 0);
    await jest.advanceTimersByTimeAsync(0);
    expect([failures.length, items.paused, items.idle]).toEqual([1, true, false]);
    items.put('b', { version: 2 }, 0);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(write).toHaveBeenCalledTimes(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(writtenVersions().at(-1)).toEqual([1, 2]);
    expect(items.idle).toBe(true);
  });

  it.each([
    ['first', undefined, [1, 2]],
    ['last', undefined, [3, 1]],
    ['first', new AppendedItems<Item>(), [1, 2]],
    ['last', new AppendedItems<Item>(), [3, 1]],
  ] as const)('tries a failed batch %s again', async (position, pending, expected) => {
    const items = create(position, pending);
    write.mockRejectedValueOnce(new Error('refused'));
    for (const version of [1, 2, 3]) items.put(`key ${version}`, { version }, 0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(writtenVersions()[1]).toEqual(expected);
  });

  it('writes all appended items once, also those that come during a write', async () => {
    const items = create('first', new AppendedItems());
    write.mockImplementationOnce(() => {
      for (const version of [4, 5]) items.put('a', { version }, 0);
      return Promise.resolve();
    });
    for (const version of [1, 2, 3]) items.put('a', { version }, 0);
    await jest.advanceTimersByTimeAsync(1);
    expect(writtenVersions()).toEqual([[1, 2], [3, 4], [5]]);
    expect(items.idle).toBe(true);
  });

  it('shares one further write among all flushes during a write', async () => {
    const items = create();
    items.put('a', { version: 1 }, 500);
    const flushes = [items.flush()];
    items.put('b', { version: 2 }, 500);
    flushes.push(items.flush(), items.flush());
    await Promise.all(flushes);
    expect(writtenVersions()).toEqual([[1], [2]]);
  });

  it('counts what could not be written when it stops', async () => {
    const items = create();
    write.mockRejectedValueOnce(new Error('away'));
    items.put('a', { version: 1 }, 500);
    expect(await items.stop()).toBe(1);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(write).toHaveBeenCalledTimes(1);
  });
});
