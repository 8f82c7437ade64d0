import { describe, expect, test } from '@jest/globals';
import { noAffinity } from '../affinity/affinity-keys.js';
import { unknownDemand } from '../prediction/demand.js';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import {
  InferenceHarness,
  nothingLeft,
  type InferenceHarnessOptions,
} from '../../../../test/support/relay/inference.harness.js';
import { statusOf } from '../../../../test/support/relay/routing-fleet.js';
import { alone } from '../../../../test/support/relay/request-outcomes.js';

describe('waiting for a slot', () => {
  const running = (harness: InferenceHarness): HarnessClient => {
    const client = harness.send();
    harness.last.ack().begin();
    return client;
  };

  test('the next request starts as soon as a slot is free', () => {
    const harness = new InferenceHarness(alone);
    running(harness);
    const second = harness.send();
    const third = harness.send();
    expect(harness.streams).toHaveLength(1);
    harness.pass(2_000);
    harness.streams[0]!.end();
    expect(harness.streams).toHaveLength(2);
    harness.streams[1]!.ack().begin().data().end();
    expect(second.seen).toEqual(['data: x', 'complete']);
    expect(second.reports[0]!.queuedMs).toBeGreaterThanOrEqual(2_000);
    harness.streams[2]!.ack().begin().data().end();
    expect(third.seen).toEqual(['data: x', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('a client that leaves the running stream makes room', () => {
    const harness = new InferenceHarness(alone);
    const first = running(harness);
    harness.send();
    first.leave();
    expect(harness.streams.map(({ resets }) => resets)).toEqual([['cancelled'], []]);
  });

  test('a client that leaves the queue is not woken and is counted once', () => {
    const harness = new InferenceHarness(alone);
    running(harness);
    const waiting = harness.send();
    waiting.leave();
    harness.streams[0]!.end();
    expect(harness.streams).toHaveLength(1);
    expect(waiting.reports).toMatchObject([{ outcome: 'cancelled', attempts: 0, nodeId: null }]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('the deadline of the queue is 429 with Retry-After, which may be retried', () => {
    const harness = new InferenceHarness(alone);
    running(harness);
    const waiting = harness.send();
    harness.pass(30_000);
    expect(waiting.seen).toEqual(['error: capacity']);
    // No slot became free in all that time.
    expect(waiting.error).toMatchObject({ status: 429, retryAfterSeconds: 31, shouldRetry: true });
    expect(waiting.reports).toMatchObject([{ outcome: 'rejected' }]);
  });

  describe('a node whose link has as many requests as it may, below the slots of its engines', () => {
    const twoEngines = {
      a: { linkStreams: 2, models: [{}, { key: 'other/more', engine: 'other', display_name: 'more' }] },
    } as const;
    const crowded = (options: InferenceHarnessOptions = {}): InferenceHarness => {
      const harness = new InferenceHarness({ nodes: { a: { linkStreams: 2, slots: 9 } }, ...options });
      running(harness);
      running(harness);
      return harness;
    };

    test('is waited for, and the next request starts when one ends', () => {
      const harness = crowded();
      const waiting = harness.send();
      expect(waiting.seen).toEqual([]);
      expect(harness.streams).toHaveLength(2);
      harness.streams[0]!.end();
      harness.last.ack().begin().data().end();
      expect(waiting.seen).toEqual(['data: x', 'complete']);
      harness.streams[1]!.end();
      expect(harness.leftovers()).toEqual(nothingLeft);
    });

    test('is 429 at the deadline and when the queue is full, like any other lack of room', () => {
      const harness = crowded({ queueLimit: 1 });
      const waiting = harness.send();
      expect(harness.send().error).toMatchObject({ code: 'capacity', status: 429 });
      harness.pass(30_000);
      expect(waiting.error).toMatchObject({ code: 'capacity', status: 429, shouldRetry: true });
    });

    test('gets none while another one has room', () => {
      const harness = new InferenceHarness({ nodes: { a: { linkStreams: 1, slots: 9 }, b: { slots: 9 } } });
      for (let sent = 0; sent < 4; sent += 1) running(harness);
      expect(harness.streams.map(({ node }) => node).filter((node) => node === 'a')).toHaveLength(1);
    });

    test('lets in whoever waits for another of its engines than the one that became free', () => {
      const harness = new InferenceHarness({ nodes: twoEngines });
      harness.fleet.nodes[0]!.status = statusOf({ engine: 9, other: 9 });
      running(harness);
      running(harness);
      const waiting = harness.send({}, { model: 'more' });
      harness.streams[0]!.end();
      harness.last.ack().begin().data().end();
      expect(waiting.seen).toEqual(['data: x', 'complete']);
    });
  });

  test('a full queue is 429 at once', () => {
    const harness = new InferenceHarness({ ...alone, queueLimit: 1 });
    running(harness);
    harness.send();
    expect(harness.send().error).toMatchObject({ code: 'capacity', status: 429, retryAfterSeconds: 1 });
  });

  test('no waiting at all when the queue is turned off', () => {
    const harness = new InferenceHarness({ ...alone, limits: { queueTimeoutMs: 0 } });
    running(harness);
    expect(harness.send().error).toMatchObject({ code: 'capacity' });
  });

  test('a node that comes online takes from the queue', () => {
    const harness = new InferenceHarness(alone);
    running(harness);
    harness.send();
    harness.fleet.nodes.push(harness.node('new'));
    harness.fleetChanged();
    expect(harness.last.node).toBe('new');
  });

  test('a request whose node goes away keeps waiting, and gets the reason at the deadline', () => {
    const harness = new InferenceHarness(alone);
    running(harness);
    const waiting = harness.send();
    const [node] = harness.fleet.nodes.splice(0);
    harness.fleetChanged();
    expect(waiting.seen).toEqual([]);
    harness.fleet.nodes.push(node!);
    harness.fleetChanged();
    harness.fleet.nodes.splice(0);
    harness.fleetChanged();
    harness.pass(30_000);
    expect(waiting.error).toMatchObject({ code: 'no_node_for_user', reason: 'no_node_online' });
  });

  test('a lost run that finds no free node waits before those that came later', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const first = harness.send();
    running(harness);
    const third = harness.send();
    harness.streams[0]!.ack().lose();
    expect([first.seen, third.seen]).toEqual([[], []]);
    // The queue offers the slot of the lost node to the third; the first must not go back there.
    expect(harness.last).toMatchObject({ node: 'a', phase: 'opened' });
    harness.streams[1]!.end();
    expect(harness.last.node).toBe('b');
    harness.last.ack().begin().data().end();
    expect(first.seen).toEqual(['data: x', 'complete']);
    expect(first.reports).toMatchObject([{ retried: true }]);
  });

  test('a lost run without a node until the deadline is not retryable', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const first = harness.send();
    running(harness);
    harness.streams[0]!.ack().lose();
    harness.pass(30_000);
    expect(first.error).toMatchObject({ code: 'node_disconnected', status: 503, shouldRetry: false });
  });

  test('an engine that is unexpectedly busy gets a cooldown for all requests', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 2 } } });
    const clients = [harness.send(), harness.send(), harness.send(), harness.send()];
    harness.streams[0]!.reject('busy');
    harness.streams[1]!.reject('busy');
    expect(harness.streams).toHaveLength(2);
    harness.pass(600);
    expect(harness.streams).toHaveLength(4);
    for (let index = 2; index < 6; index += 1) harness.streams[index]!.ack().begin().data().end();
    for (const client of clients) expect(client.seen).toEqual(['data: x', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('a slot refused to one request is offered to others', () => {
    const harness = new InferenceHarness(alone);
    harness.send();
    harness.send();
    harness.streams[0]!.reject('unsupported');
    expect(harness.streams).toHaveLength(2);
  });

  test('requests never exceed the slots of an engine', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 2 }, b: { slots: 3 } } });
    for (let index = 0; index < 9; index += 1) harness.send();
    expect(harness.streams.filter(({ node }) => node === 'a')).toHaveLength(2);
    expect(harness.streams.filter(({ node }) => node === 'b')).toHaveLength(3);
  });
});

test('a place at the node that has its prompt goes to a younger request of the key', () => {
  const harness = new InferenceHarness({ choice: 'predicted' });
  const ask = (document: string): HarnessClient => {
    const prefixes = [{ hash: document, tokens: 3_000 }];
    return harness.send({}, {}, { profile: { demand: unknownDemand, affinity: { ...noAffinity, prefixes } } });
  };
  ask('known');
  const { node } = harness.last;
  harness.last.ack().begin().data().end('completed', null, 300);
  ask('one');
  ask('two');
  ask('new');
  ask('known');
  harness.streams
    .slice(-2)
    .find((stream) => stream.node === node)!
    .ack()
    .begin()
    .data()
    .end('completed', null, 300);
  const [, , , old] = harness.clients;
  expect(harness.streams).toHaveLength(4);
  expect(harness.last.node).toBe(node);
  expect(old!.request.waiting).toBe(true);
  harness.streams[2]!.ack().begin().data().end();
  harness.streams[1]!.ack().begin().data().end();
  expect(harness.clients.map(({ request }) => request.waiting)).toEqual([false, false, false, false, false]);
});

describe('right after the start of the relay', () => {
  const started = (options: Partial<InferenceHarnessOptions> = {}): InferenceHarness =>
    new InferenceHarness({ ...alone, nodes: {}, ...options, limits: { nodesReturnWaitMs: 5_000, ...options.limits } });

  test('a request waits for a node that reconnects', () => {
    const harness = started();
    const waiting = harness.send();
    expect(waiting.seen).toEqual([]);
    harness.pass(2_000);
    harness.fleet.nodes.push(harness.node('a'));
    harness.fleetChanged();
    harness.last.ack().begin().data().end();
    expect(waiting.seen).toEqual(['data: x', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('it gets the reason when no node is back in time', () => {
    const harness = started();
    harness.pass(3_000);
    const waiting = harness.send();
    harness.pass(1_800);
    expect(waiting.seen).toEqual([]);
    harness.pass(200);
    expect(waiting.seen).toEqual(['error: no_node_for_user']);
    expect(harness.send().seen).toEqual(['error: no_node_for_user']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('one that finds a busy node then waits for a slot as long as any other', () => {
    const harness = started();
    const [first, second] = [harness.send(), harness.send()];
    harness.fleet.nodes.push(harness.node('a', { slots: 1 }));
    harness.fleetChanged();
    expect(harness.streams).toHaveLength(1);
    harness.last.ack().begin();
    harness.pass(20_000);
    expect(second.seen).toEqual([]);
    harness.last.data().end();
    harness.last.ack().begin().data().end();
    expect([first.seen, second.seen].map((seen) => seen.at(-1))).toEqual(['complete', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('no more of them wait than the queue allows, and none where waiting is turned off', () => {
    const harness = started({ queueLimit: 1 });
    harness.send();
    expect(harness.send().seen).toEqual(['error: no_node_for_user']);
    expect(started({ limits: { queueTimeoutMs: 0 } }).send().seen).toEqual(['error: no_node_for_user']);
  });

  test('a client that leaves is not woken', () => {
    const harness = started();
    const waiting = harness.send();
    waiting.leave();
    harness.fleet.nodes.push(harness.node('a'));
    harness.fleetChanged();
    expect(harness.streams).toEqual([]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });
});
