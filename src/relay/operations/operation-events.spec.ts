import { describe, expect, it, jest } from '@jest/globals';
import { settled } from '../../../test/support/clock/settled.js';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { createNodeId, createOperationId } from '../../kernel/ids.js';
import type { FeedSubscriber } from './operation-feed.js';
import { newOperation, type OperationView } from './operation.js';
import { OperationEvents, type OperationEventsOptions } from './operation-events.js';
import { operationRecord } from './operation-record.js';

const running = (source: string): OperationView => ({
  ...newOperation(
    createOperationId(),
    {
      nodeId: createNodeId(),
      nodeName: 'desk',
      kind: 'install',
      engine: null,
      modelKey: null,
      model: null,
      source,
      loadAfter: false,
      contextTokens: null,
      createdBy: null,
    },
    new Date(0),
  ),
  state: 'running',
  nodeOnline: true,
  bytesPerSecond: null,
});

/** A feed with a client that takes what it is sent only when the test says so. */
function watch(options: Partial<OperationEventsOptions> = {}) {
  let feed: FeedSubscriber | undefined;
  const unsubscribe = jest.fn();
  const events = new OperationEvents({
    current: () => Promise.resolve([]),
    subscribe: (subscriber) => {
      feed = subscriber;
      return unsubscribe;
    },
    concerns: () => true,
    endsWithOutcome: false,
    record: (operation) => operationRecord(operation, null),
    stillAllowed: () => Promise.resolve(true),
    checkEveryMs: 60_000,
    keepAliveMs: 15_000,
    ...options,
  });
  const written: string[] = [];
  const ended = new Promise<unknown>((resolve) => {
    events.bytes$.subscribe({
      next: (bytes) => written.push(Buffer.from(bytes).toString()),
      error: resolve,
      complete: () => {
        resolve('complete');
      },
    });
  });
  const shown = (): Record<string, unknown>[] =>
    written
      .filter((text) => text.startsWith('event: operation\n'))
      .map((text) => JSON.parse(text.slice(text.indexOf('data: ') + 'data: '.length)) as Record<string, unknown>);
  return {
    events,
    written,
    shown,
    ended,
    unsubscribe,
    next: (operation: OperationView) => feed?.next(operation),
    end: (error: FerryError) => feed?.end(error),
  };
}

describe('OperationEvents', () => {
  it('loses no change during the initial read, and emits nothing older after it', async () => {
    const operation = running('a');
    const { next, shown } = watch({ current: () => Promise.resolve([operation]) });
    next({ ...operation, completedBytes: 5 });
    await settled();
    expect(shown()).toMatchObject([{ completed_bytes: 5 }]);
  });

  it('coalesces states for a slow watcher, and sends all to others', async () => {
    const [one, other] = [running('a'), running('b')];
    const { events, next, shown, written } = watch();
    await settled();
    for (let completedBytes = 0; completedBytes < 1_000; completedBytes += 1) next({ ...one, completedBytes });
    next({ ...other, state: 'succeeded' });
    const before = shown().length;
    expect(before).toBeLessThan(200);
    events.consumed(Buffer.byteLength(written.join('')));
    expect(shown().slice(before)).toMatchObject([{ completed_bytes: 999 }, { state: 'succeeded' }]);
  });

  it('ends when the credential is revoked, but not when that cannot be checked', async () => {
    let response = (): Promise<boolean> => Promise.reject(new Error('no database'));
    const asked = jest.fn(() => response());
    const { ended, unsubscribe } = watch({ checkEveryMs: 1, stillAllowed: asked });
    while (asked.mock.calls.length < 3) await settled();
    expect(unsubscribe).not.toHaveBeenCalled();
    response = () => Promise.resolve(false);
    expect(await ended).toMatchObject({ code: 'invalid_credential' });
    expect(unsubscribe).toHaveBeenCalledTimes(1);
  });

  it('ends when the relay stops, and at the limit of watchers', async () => {
    const { ended, end } = watch();
    end(new FerryError('draining'));
    expect(await ended).toMatchObject({ code: 'draining' });
    const refused = watch({
      subscribe: () => {
        throw new FerryError('rate_limit_exceeded');
      },
    });
    expect(await refused.ended).toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('completes after the outcome of its operation', async () => {
    const operation = running('a');
    const { ended, next, shown } = watch({ endsWithOutcome: true });
    await settled();
    next(operation);
    next({ ...operation, state: 'failed', failure: { code: 'network', message: 'Gone.' } });
    expect(await ended).toBe('complete');
    expect(shown().map(({ state }) => state)).toEqual(['running', 'failed']);
  });
});
