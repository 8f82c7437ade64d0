import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createNodeId, createOperationId, type AccountId } from '../../kernel/ids.js';
import { newOperation, type Operation } from './operation.js';
import { OperationsWriter, type SaveOperation } from './operations.writer.js';

const account = 'acc_1' as AccountId;
const request = {
  nodeId: createNodeId(),
  nodeName: 'desk',
  kind: 'install',
  engine: null,
  modelKey: null,
  model: null,
  source: 'qwen3:8b',
  loadAfter: false,
  contextTokens: null,
  createdBy: null,
} as const;

let save: jest.Mock<SaveOperation>;
let saved: Operation[];
let failures: unknown[];
let writer: OperationsWriter;
let running: Operation;

beforeEach(() => {
  jest.useFakeTimers();
  save = jest.fn(() => Promise.resolve());
  saved = [];
  failures = [];
  writer = new OperationsWriter({
    save,
    onSaved: (operation) => saved.push(operation),
    onFailure: (error) => failures.push(error),
  });
  running = { ...newOperation(createOperationId(), request, new Date(0)), state: 'running' };
});
afterEach(() => {
  jest.useRealTimers();
});

describe('OperationsWriter', () => {
  it('writes progress every two seconds, newest only', async () => {
    for (let completedBytes = 0; completedBytes < 8; completedBytes += 1) {
      writer.mark(account, { ...running, completedBytes });
      await jest.advanceTimersByTimeAsync(200);
    }
    expect(save).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(400);
    expect(save.mock.calls).toEqual([[account, { ...running, completedBytes: 7 }]]);
  });

  it('writes an outcome and a cancel request at once', async () => {
    writer.mark(account, running);
    writer.mark(account, { ...running, cancelRequested: true });
    await jest.advanceTimersByTimeAsync(0);
    const over: Operation = { ...running, state: 'cancelled' };
    writer.mark(account, over);
    await jest.advanceTimersByTimeAsync(0);
    expect(save).toHaveBeenCalledTimes(2);
    expect(saved.at(-1)).toBe(over);
  });

  it('keeps failed writes without blocking others', async () => {
    const other: Operation = { ...running, id: createOperationId(), state: 'succeeded' };
    const over: Operation = { ...running, state: 'failed' };
    save.mockImplementation((_account, { id }) =>
      id === over.id ? Promise.reject(new Error('refused')) : Promise.resolve(),
    );
    writer.mark(account, over);
    writer.mark(account, other);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(saved).toEqual([other]);
    save.mockResolvedValue(undefined);
    await jest.advanceTimersByTimeAsync(2_000);
    expect(saved).toEqual([other, over]);
    expect(failures).not.toEqual([]);
  });

  it('writes everything before the relay stops', async () => {
    writer.mark(account, running);
    await writer.flush();
    expect(saved).toEqual([running]);
  });
});
