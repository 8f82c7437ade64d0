import { describe, expect, test } from '@jest/globals';
import type { HarnessStream } from '../../../../test/support/relay/harness-stream.js';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import type { RequestLifecycleListener } from './request-lifecycle-listener.js';

const failing = (): never => {
  throw new Error('a bug of a listener');
};
const silent: RequestLifecycleListener = {
  decided: () => undefined,
  undecided: () => undefined,
  queued: () => undefined,
  sent: () => undefined,
  begun: () => undefined,
  left: () => undefined,
  followed: () => undefined,
  ended: () => undefined,
};

/** The node's link fails while it is told to stop. */
const breakReset = (stream: HarnessStream): void => {
  Object.defineProperty(stream.resets, 'push', { value: failing });
};

describe('a request whose end listener throws', () => {
  test('releases everything, reports once, and lets the next one start', () => {
    const harness = new InferenceHarness({ nodes: { a: {} }, lifecycle: { ...silent, ended: failing } });
    const client = harness.send();
    const waiting = harness.send();
    const [stream] = harness.streams;
    stream?.ack().begin().data();
    expect(() => stream?.end()).toThrow('a bug of a listener');
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect([client.reports.length, client.bodyReleases]).toEqual([1, 1]);
    expect(harness.streams).toHaveLength(2);
    expect(() => waiting.request.abort('failed', 'draining', 'over', 'draining')).toThrow('a bug of a listener');
    expect(waiting.reports).toHaveLength(1);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('ends also when its node cannot be cancelled', () => {
    const harness = new InferenceHarness({ nodes: { a: {} } });
    const client = harness.send();
    harness.last.ack();
    breakReset(harness.last);
    const abort = (): void => {
      client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    };
    expect(abort).toThrow('a bug of a listener');
    expect(abort).not.toThrow();
    expect(client.seen).toEqual(['error: draining']);
    expect(client.reports).toHaveLength(1);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('frees the slot of its hedge as well', () => {
    const harness = new InferenceHarness({
      hedging: { percent: 100, lateInMs: 0 },
      lifecycle: { ...silent, left: failing },
    });
    const client = harness.send();
    harness.last.ack();
    harness.pass(1_000);
    expect(harness.streams).toHaveLength(2);
    expect(() => {
      client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    }).toThrow('a bug of a listener');
    expect(harness.streams.map(({ resets }) => resets)).toEqual([['draining'], ['draining']]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });
});
