import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createNodeId, createOperationId } from '../../kernel/ids.js';
import { newOperation, type OperationView } from '../operations/operation.js';
import { operationRecord } from '../operations/operation-record.js';
import { COALESCE_MS, EventFeed, REPEAT_MS, type EventFeedOptions } from './event-feed.js';

const operation = (state: OperationView['state'] = 'running'): OperationView => ({
  ...newOperation(
    createOperationId(),
    {
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
    },
    new Date(0),
  ),
  state,
  nodeOnline: true,
  bytesPerSecond: null,
});

/** A feed whose client takes nothing unless the test says so. */
function open(options: Partial<EventFeedOptions> = {}) {
  const closed = jest.fn();
  const feed = new EventFeed({
    open: () => closed,
    record: (one) => operationRecord(one, null),
    stillAllowed: () => Promise.resolve(true),
    checkEveryMs: 60_000,
    bufferBytes: 65_536,
    keepAliveMs: 15_000,
    clock: { monotonicMs: () => Date.now() },
    ...options,
  });
  const written: string[] = [];
  const ended = jest.fn();
  const subscription = feed.bytes$.subscribe({
    next: (bytes) => written.push(Buffer.from(bytes).toString()),
    error: ended,
    complete: () => ended('complete'),
  });
  const topics = (): unknown[] =>
    written
      .filter((text) => text.startsWith('event: change'))
      .map((text) => JSON.parse(text.split('data: ')[1]!) as unknown);
  return { feed, written, topics, ended, closed, subscription };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('an event feed', () => {
  it('begins with a comment, so that the client gets the headers', () => {
    expect(open().written).toEqual([': keep-alive\n\n']);
  });

  it('batches changes that happen at nearly the same time', () => {
    const { feed, topics } = open();
    for (const topic of ['nodes', 'models', 'nodes'] as const) feed.topicChanged(topic);
    jest.advanceTimersByTime(COALESCE_MS - 1);
    expect(topics()).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(topics()).toEqual([{ topics: ['models', 'nodes'] }]);
  });

  it('repeats a topic at most once a second, and another one at once', () => {
    const { feed, topics } = open();
    for (let passed = 0; passed < 3 * REPEAT_MS; passed += 50) {
      feed.topicChanged('nodes');
      jest.advanceTimersByTime(50);
    }
    expect(topics().length).toBeLessThanOrEqual(3);
    feed.topicChanged('keys');
    jest.advanceTimersByTime(COALESCE_MS);
    expect(topics().at(-1)).toMatchObject({ topics: expect.arrayContaining(['keys']) });
    jest.advanceTimersByTime(2 * REPEAT_MS);
    const before = topics().length;
    jest.advanceTimersByTime(10 * REPEAT_MS);
    expect(topics()).toHaveLength(before);
  });

  it('sends the newest state of an operation, and its topic when it has ended', () => {
    const { feed, written, topics } = open();
    const running = operation();
    feed.operationChanged({ ...running, completedBytes: 1 });
    feed.operationChanged({ ...running, completedBytes: 2 });
    jest.advanceTimersByTime(COALESCE_MS);
    const sent = written.filter((text) => text.startsWith('event: operation'));
    expect(sent).toHaveLength(1);
    expect(sent[0]).toContain('"completed_bytes":2');
    expect(topics()).toEqual([]);
    feed.operationChanged({ ...running, state: 'succeeded' });
    jest.advanceTimersByTime(COALESCE_MS);
    expect(topics()).toEqual([{ topics: ['operations'] }]);
  });

  it('an event feed is closed when its client reads too slowly, and holds a bounded number of operations', () => {
    const { feed, written, ended, closed } = open({ bufferBytes: 1_024 });
    for (let made = 0; made < 10_000; made += 1) feed.operationChanged(operation());
    jest.advanceTimersByTime(COALESCE_MS);
    expect(ended).toHaveBeenCalledWith('complete');
    expect(closed).toHaveBeenCalledTimes(1);
    expect(written.length).toBeLessThan(5);
    const fast = open({ bufferBytes: 1_000_000 });
    for (let made = 0; made < 10_000; made += 1) fast.feed.operationChanged(operation());
    jest.advanceTimersByTime(COALESCE_MS);
    expect(fast.written.filter((text) => text.startsWith('event: operation'))).toHaveLength(100);
    expect(fast.topics()).toEqual([{ topics: ['operations'] }]);
  });

  it('ends with its credential, at once when this relay revoked it', async () => {
    let allowed = true;
    const { feed, ended, closed } = open({ stillAllowed: () => Promise.resolve(allowed) });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(ended).not.toHaveBeenCalled();
    allowed = false;
    feed.topicChanged('sessions');
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'invalid_credential' }));
    expect(closed).toHaveBeenCalledTimes(1);
  });

  it('leaves no timer behind', () => {
    const { feed, subscription, closed } = open();
    feed.topicChanged('keys');
    subscription.unsubscribe();
    expect(closed).toHaveBeenCalledTimes(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
