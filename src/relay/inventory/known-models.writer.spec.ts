import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { AccountId, NodeId } from '../../kernel/ids.js';
import { KnownModelsWriter, type SaveNodeModels } from './known-models.writer.js';

const account = 'acc_1' as AccountId;
const nodeA = 'nd_a' as NodeId;
const nodeB = 'nd_b' as NodeId;

let save: jest.Mock<SaveNodeModels>;
let failures: unknown[];
let writer: KnownModelsWriter;

beforeEach(() => {
  jest.useFakeTimers();
  save = jest.fn(() => Promise.resolve());
  failures = [];
  writer = new KnownModelsWriter(save, (error) => failures.push(error));
});
afterEach(() => {
  jest.useRealTimers();
});

describe('KnownModelsWriter', () => {
  it('writes each node once, however often it has changed', async () => {
    writer.mark(account, nodeA);
    writer.mark(account, nodeA);
    writer.mark(account, nodeB);
    expect(save).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(500);
    expect(save.mock.calls).toEqual([[account, [nodeA, nodeB]]]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(save).toHaveBeenCalledTimes(1);
    expect(writer.idle).toBe(true);
  });

  it('writes at most 200 nodes at once, and each account by itself', async () => {
    const otherAccount = 'acc_2' as AccountId;
    for (let index = 0; index < 450; index += 1) writer.mark(account, `nd_${index}` as NodeId);
    writer.mark(otherAccount, nodeA);
    await jest.advanceTimersByTimeAsync(500);
    expect(save.mock.calls.map(([accountId, nodes]) => [accountId, nodes.length])).toEqual([
      [account, 200],
      [account, 200],
      [account, 50],
      [otherAccount, 1],
    ]);
  });

  it('writes again what changes during a write', async () => {
    save.mockImplementationOnce(() => {
      writer.mark(account, nodeA);
      return Promise.resolve();
    });
    writer.mark(account, nodeA);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(save).toHaveBeenCalledTimes(2);
  });

  it('tries again while the database is away', async () => {
    save.mockRejectedValueOnce(new Error('away'));
    writer.mark(account, nodeA);
    await jest.advanceTimersByTimeAsync(500);
    expect(failures).toHaveLength(1);
    expect(writer.idle).toBe(false);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(save).toHaveBeenCalledTimes(2);
    expect(writer.idle).toBe(true);
  });

  it('flushes when the relay stops', async () => {
    writer.mark(account, nodeA);
    await writer.flush();
    expect(save).toHaveBeenCalledTimes(1);
  });
});
