import { describe, expect, test } from '@jest/globals';
import {
  InferenceHarness,
  nothingLeft,
  type InferenceHarnessOptions,
} from '../../../../test/support/relay/inference.harness.js';

const alone: InferenceHarnessOptions = { nodes: { a: {} } };

describe('the health of a node', () => {
  test('turns suspect after consecutive failures, and others get the work', () => {
    const harness = new InferenceHarness();
    harness.failOne();
    harness.failOne();
    expect(harness.stateOf('a')).toBe('healthy');
    harness.failOne();
    expect(harness.stateOf('a')).toBe('suspect');
    harness.send();
    expect(harness.last.node).toBe('b');
  });

  test('stays healthy when requests in between complete', () => {
    const harness = new InferenceHarness(alone);
    for (let round = 0; round < 5; round += 1) {
      harness.failOne();
      harness.failOne();
      harness.send();
      harness.completeLast();
    }
    expect(harness.stateOf('a')).toBe('healthy');
    expect(harness.context.health.size).toBe(0);
  });

  test('the health of a node is unaffected by clients, refusals and invalid requests', () => {
    const harness = new InferenceHarness(alone);
    for (let round = 0; round < 5; round += 1) {
      harness.send().leave();
      harness.send();
      harness.last.ack().end('failed', { code: 'engine_rejected_request', status: 400 });
      harness.send();
      harness.last.reject('draining');
      harness.clock.advance(1);
    }
    expect([harness.stateOf('a'), harness.context.health.size]).toEqual(['healthy', 0]);
  });

  test('counts one disconnect as one failure, however many requests it costs', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 4 } } });
    for (let request = 0; request < 4; request += 1) harness.send();
    for (const stream of [...harness.streams]) stream.ack().begin();
    for (const stream of [...harness.streams]) {
      stream.lose();
      harness.clock.advance(1);
    }
    expect(harness.stateOf('a')).toBe('healthy');
  });

  test('never blocks the only node, whether suspect or probing', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 8 } } });
    harness.makeSuspect();
    const clients = [harness.send(), harness.send()];
    harness.pass(5_000);
    expect(harness.stateOf('a')).toBe('probing');
    clients.push(harness.send(), harness.send());
    for (const stream of harness.streams.slice(3)) stream.ack().begin().data().end();
    expect(clients.map(({ seen }) => seen.at(-1))).toEqual(Array(4).fill('complete'));
    expect(harness.stateOf('a')).toBe('healthy');
  });

  test('routing with all nodes suspect prefers the least bad, and queues when they are full', () => {
    const harness = new InferenceHarness();
    harness.makeSuspect();
    harness.pass(2_000);
    harness.makeSuspect();
    expect([harness.stateOf('a'), harness.stateOf('b')]).toEqual(['suspect', 'suspect']);
    harness.pass(3_500);
    expect([harness.stateOf('a'), harness.stateOf('b')]).toEqual(['probing', 'suspect']);
    harness.send();
    expect(harness.last.node).toBe('a');
    harness.send();
    expect(harness.last.node).toBe('b');
    const waiting = harness.send();
    expect([waiting.seen, harness.streams.length]).toEqual([[], 8]);
    harness.completeLast();
    expect(harness.streams).toHaveLength(9);
  });

  test('prefers waiting for a full healthy node over a suspect one', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.makeSuspect();
    harness.send();
    expect(harness.last.node).toBe('b');
    harness.send();
    expect(harness.last.node).toBe('b');
    expect(harness.context.queue.size).toBe(1);
  });

  test('releases requests waiting for a healthy node when it turns suspect, too', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: { slots: 2 } }, health: { healthFailureThreshold: 1 } });
    harness.failOne();
    harness.send();
    harness.send();
    const waiting = [harness.send(), harness.send()];
    expect(harness.context.queue.size).toBe(2);
    harness.last.ack().end('failed', { code: 'engine_error' });
    expect(harness.context.queue.size).toBe(0);
    expect(
      harness.streams
        .slice(-2)
        .map(({ node }) => node)
        .sort(),
    ).toEqual(['a', 'b']);
    expect(waiting.map(({ error }) => error)).toEqual([null, null]);
  });

  test('the health of a node is restored by a probe: one request at a time, and a completed one makes it healthy', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 4 }, b: {} } });
    harness.makeSuspect();
    harness.pass(5_000);
    expect(harness.stateOf('a')).toBe('probing');
    const asked = harness.streams.length;
    const clients = [harness.send(), harness.send(), harness.send()];
    expect(harness.streams.slice(asked).map(({ node }) => node)).toEqual(['b', 'a']);
    harness.streams[asked + 1]!.ack().begin().data().end();
    expect(harness.stateOf('a')).toBe('healthy');
    expect(harness.last.node).toBe('a');
    for (const client of clients) client.leave();
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('the health of a node is probed with exponential back-off while probes fail', () => {
    const harness = new InferenceHarness(alone);
    harness.makeSuspect();
    for (const waitMs of [5_000, 10_000, 20_000]) {
      harness.pass(waitMs - 1_000);
      expect(harness.stateOf('a')).toBe('suspect');
      harness.pass(1_000);
      expect(harness.stateOf('a')).toBe('probing');
      harness.failOne();
      expect(harness.stateOf('a')).toBe('suspect');
    }
  });

  test('the health of a node is not probed while a healthy node has room', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.makeSuspect();
    harness.pass(5_000);
    harness.send();
    expect(harness.last.node).toBe('b');
    harness.send();
    expect(harness.last.node).toBe('a');
  });

  test('an aborted probe is neutral: the next request is the probe', () => {
    const harness = new InferenceHarness(alone);
    harness.makeSuspect();
    harness.pass(5_000);
    harness.send().leave();
    expect(harness.stateOf('a')).toBe('probing');
    harness.send();
    harness.completeLast();
    expect(harness.stateOf('a')).toBe('healthy');
  });

  test('a queued request becomes the probe', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.makeSuspect();
    harness.send();
    const waiting = harness.send();
    expect(waiting.seen).toEqual([]);
    harness.pass(5_000);
    expect(harness.last.node).toBe('a');
    harness.completeLast();
    expect(waiting.seen).toEqual(['data: x', 'complete']);
  });
});

describe('a node that does not confirm cancellation', () => {
  test('a node that does not confirm cancellation is suspect; one that confirms is not, and reports usage', () => {
    const harness = new InferenceHarness({ confirming: true });
    const first = harness.send();
    harness.last.ack().begin();
    first.leave();
    expect(first.reports).toMatchObject([{ outcome: 'cancelled', usage: null, usagePending: true }]);
    harness.last.stopped(7);
    expect(first.confirmed).toMatchObject([{ output_tokens: 7 }]);
    expect(harness.stateOf('a')).toBe('healthy');

    const second = harness.send();
    harness.last.ack().begin();
    second.leave();
    harness.last.stopped('missing');
    expect(second.confirmed).toEqual([null]);
    expect(harness.stateOf('a')).toBe('suspect');
    expect(harness.healthOf('a').reason).toBe('unconfirmed_stop');
  });

  test('a node that does not confirm cancellation is not suspect without the confirmation feature', () => {
    const harness = new InferenceHarness(alone);
    const client = harness.send();
    harness.last.ack();
    client.leave();
    expect(client.reports).toMatchObject([{ usagePending: false }]);
    expect(harness.stateOf('a')).toBe('healthy');
  });

  test('a run taken over by another node is not metered twice', () => {
    const harness = new InferenceHarness({ confirming: true });
    const client = harness.send();
    harness.pass(10_000);
    harness.streams[0]!.stopped(3);
    harness.completeLast();
    expect(client.confirmed).toEqual([]);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, usagePending: false }]);
  });
});

describe('a missing first event', () => {
  test('makes the node suspect long before the request times out', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, stallAfterMs: 60_000 });
    const wedged = harness.send();
    harness.last.ack();
    harness.pass(59_000);
    expect(harness.stateOf('a')).toBe('healthy');
    harness.pass(2_000);
    expect(harness.stateOf('a')).not.toBe('healthy');
    expect(wedged.seen).toEqual([]);
    harness.send();
    expect(harness.last.node).toBe('b');
    harness.pass(900_000);
    expect(wedged.error).toMatchObject({ code: 'engine_timeout' });
  });

  test('a missing first event is awaited for the predicted time', () => {
    const harness = new InferenceHarness({ ...alone, stallAfterMs: 300_000 });
    harness.send();
    harness.last.ack();
    harness.pass(299_000);
    expect(harness.stateOf('a')).toBe('healthy');
    harness.pass(2_000);
    expect(harness.stateOf('a')).toBe('suspect');
  });

  test('a missing first event is no stall without a prediction', () => {
    const harness = new InferenceHarness(alone);
    harness.send();
    harness.last.ack();
    harness.pass(800_000);
    expect(harness.stateOf('a')).toBe('healthy');
  });

  test('a JSON response without a first event is a stall, too, and the request keeps waiting', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, stallAfterMs: 90_000 });
    const whole = harness.send({ stream: false });
    harness.last.ack();
    harness.pass(89_000);
    expect(harness.stateOf('a')).toBe('healthy');
    harness.pass(2_000);
    expect(harness.stateOf('a')).not.toBe('healthy');
    expect(whole.seen).toEqual([]);
    harness.send();
    expect(harness.last.node).toBe('b');
    harness.pass(1_800_000);
    expect(whole.reports).toMatchObject([{ outcome: 'timed_out', code: 'engine_timeout' }]);
  });

  test('a late first event clears the node', () => {
    const harness = new InferenceHarness({ ...alone, stallAfterMs: 60_000 });
    harness.send({ stream: false });
    const [late] = harness.streams;
    late!.ack();
    harness.pass(61_000);
    expect(harness.stateOf('a')).not.toBe('healthy');
    late!.begin(1).data().end();
    expect([harness.stateOf('a'), harness.context.health.size]).toEqual(['healthy', 0]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('a missing first event is no stall while the node streams anything else', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 2 } }, stallAfterMs: 60_000 });
    const long = harness.send();
    harness.streams[0]!.ack();
    harness.send();
    harness.streams[1]!.ack().begin();
    for (let second = 0; second < 300; second += 10) {
      harness.pass(10_000);
      harness.streams[1]!.data();
      expect(harness.stateOf('a')).toBe('healthy');
    }
    harness.pass(63_000);
    expect(harness.healthOf('a')).toMatchObject({ state: 'suspect', reason: 'stalled' });
    harness.streams[1]!.data();
    harness.streams[0]!.begin().data().end();
    expect([long.seen.at(-1), harness.stateOf('a')]).toEqual(['complete', 'healthy']);
  });

  test('a missing first event is a stall when the node streams only keep-alives', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 2 } }, stallAfterMs: 60_000 });
    harness.send();
    harness.streams[0]!.ack();
    harness.send();
    harness.streams[1]!.ack().keepAlive();
    harness.pass(61_000);
    expect(harness.healthOf('a').reason).toBe('stalled');
  });

  test.each(['begins', 'is completed'])('a missing first event is cleared when another answer %s', (how) => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 3 } }, stallAfterMs: 60_000 });
    harness.send();
    harness.streams[0]!.ack().begin();
    harness.send();
    harness.streams[1]!.ack();
    harness.pass(61_000);
    expect(harness.healthOf('a').reason).toBe('stalled');
    if (how === 'begins') {
      harness.send();
      harness.last.ack().begin();
    } else harness.streams[0]!.data().end();
    expect(harness.stateOf('a')).toBe('healthy');
  });
});
