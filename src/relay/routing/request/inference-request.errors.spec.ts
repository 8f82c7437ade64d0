import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabStream } from '../../../../test/support/relay/inference.harness.js';
import { last } from '../../../../test/support/relay/request-outcomes.js';
import type { RequestLifecycleListener } from './request-lifecycle-listener.js';

const failing = (): never => {
  throw new Error('a bug of a listener');
};
const silent: RequestLifecycleListener = {
  decided: () => undefined,
  undecided: () => undefined,
  queued: () => undefined,
  asked: () => undefined,
  begun: () => undefined,
  left: () => undefined,
  followed: () => undefined,
  ended: () => undefined,
};

/** The node's link fails while it is told to stop. */
const breakReset = (stream: LabStream): void => {
  Object.defineProperty(stream.resets, 'push', { value: failing });
};

describe('a request whose end meets an error of a listener', () => {
  test('gives back all that it holds, tells its client and metering once, and lets the next one start', () => {
    const lab = new Lab({ nodes: { a: {} }, lifecycle: { ...silent, ended: failing } });
    const client = lab.send();
    const waiting = lab.send();
    const [stream] = lab.streams;
    stream?.ack().begin().data();
    expect(() => stream?.end()).toThrow('a bug of a listener');
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect([client.reports.length, client.bodyReleases]).toEqual([1, 1]);
    expect(lab.streams).toHaveLength(2);
    expect(() => waiting.request.abort('failed', 'draining', 'over', 'draining')).toThrow('a bug of a listener');
    expect(waiting.reports).toHaveLength(1);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('is over all the same when its node cannot be told to stop', () => {
    const lab = new Lab({ nodes: { a: {} } });
    const client = lab.send();
    last(lab).ack();
    breakReset(last(lab));
    const abort = (): void => {
      client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    };
    expect(abort).toThrow('a bug of a listener');
    expect(abort).not.toThrow();
    expect(client.seen).toEqual(['error: draining']);
    expect(client.reports).toHaveLength(1);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('gives the slot of its second try back as well', () => {
    const lab = new Lab({
      hedging: { percent: 100, lateInMs: 0 },
      lifecycle: { ...silent, left: failing },
    });
    const client = lab.send();
    last(lab).ack();
    lab.pass(1_000);
    expect(lab.streams).toHaveLength(2);
    expect(() => {
      client.request.abort('failed', 'draining', 'The relay is shutting down.', 'draining');
    }).toThrow('a bug of a listener');
    expect(lab.streams.map(({ resets }) => resets)).toEqual([['draining'], ['draining']]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });
});
