import { describe, expect, test } from '@jest/globals';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import {
  InferenceHarness,
  nothingLeft,
  type InferenceHarnessOptions,
} from '../../../../test/support/relay/inference.harness.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { RequestLifecycleListener } from './request-lifecycle-listener.js';
import type { ObservedRequest } from './routed-request.js';

const LATE_MS = 1_000;
const hedging: InferenceHarnessOptions = { hedging: { percent: 100, lateInMs: LATE_MS }, confirming: true };
const three: InferenceHarnessOptions = { ...hedging, nodes: { a: {}, b: {}, c: {} } };

/** A request that `a` has and says nothing about, until `b` has it, too. */
function hedged(
  options: InferenceHarnessOptions = hedging,
  fields: object = {},
): { harness: InferenceHarness; client: HarnessClient } {
  const harness = new InferenceHarness(options);
  const client = harness.send(fields);
  harness.streams[0]!.ack();
  harness.pass(LATE_MS);
  return { harness, client };
}

const tries = (harness: InferenceHarness): string[] =>
  harness.streams.map(({ node, resets }) => [node, ...resets.map((reason) => `reset ${reason}`)].join(' '));

/** What comes too late changes nothing, and nothing is left. */
function expectOver(harness: InferenceHarness, client: HarnessClient): void {
  const seen = [...client.seen];
  for (const stream of [...harness.streams]) {
    stream.ack().begin().data('late');
    stream.end();
    stream.lose();
    stream.stopped(1);
  }
  client.leave();
  expect(client.seen).toEqual(seen);
  expect(client.reports).toHaveLength(1);
  expect(client.bodyReleases).toBe(1);
  expect(harness.leftovers()).toEqual(nothingLeft);
}

describe('a hedge', () => {
  test('starts when the first attempt is late, and wins with its first event', () => {
    const { harness, client } = hedged();
    expect(tries(harness)).toEqual(['a', 'b']);
    expect([harness.streams[1]!.head.request_id, harness.streams[1]!.body.toString()]).toEqual([
      harness.streams[0]!.head.request_id,
      'the body',
    ]);
    harness.streams[1]!.ack().begin();
    expect(tries(harness)).toEqual(['a reset failed_over', 'b']);
    harness.streams[0]!.data('from the loser');
    harness.streams[1]!.data('from b').end();
    expect(client.seen).toEqual(['data: from b', 'complete']);
    expect(client.reports).toMatchObject([
      { outcome: 'completed', retried: true, hedged: true, attempts: 2, nodeId: 'nd_b', usagePending: false },
    ]);
    expectOver(harness, client);
  });

  test('loses when the first attempt answers', () => {
    const { harness, client } = hedged();
    harness.streams[1]!.ack();
    harness.streams[0]!.begin();
    expect(tries(harness)).toEqual(['a', 'b reset failed_over']);
    harness.streams[0]!.data('from a').end();
    expect(client.seen).toEqual(['data: from a', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, attempts: 2, nodeId: 'nd_a' }]);
    expectOver(harness, client);
  });

  test('a hedge is used for whole answers, too', () => {
    const { harness, client } = hedged(hedging, { stream: false });
    harness.streams[1]!.ack().begin(1).data('b').end();
    expect(client.seen).toEqual(['data: b', 'complete']);
    expect(tries(harness)).toEqual(['a reset failed_over', 'b']);
    expectOver(harness, client);
  });

  test('starts even before the first node has accepted', () => {
    const harness = new InferenceHarness(hedging);
    const client = harness.send();
    harness.pass(LATE_MS);
    harness.streams[1]!.ack().begin().data().end();
    expect(client.seen).toEqual(['data: x', 'complete']);
    expectOver(harness, client);
  });

  test('a hedge that loses must confirm cancellation, or its node is suspect', () => {
    const { harness } = hedged();
    harness.streams[1]!.ack().begin();
    expect(harness.context.health.worstOf('nd_a' as NodeId).state).toBe('healthy');
    harness.streams[0]!.stopped('missing');
    expect(harness.context.health.worstOf('nd_a' as NodeId).reason).toBe('unconfirmed_stop');
  });

  test('a hedge is reported to lifecycle listeners', () => {
    const received: string[] = [];
    const note =
      (what: string) =>
      ({ isHedge = false }: ObservedRequest, ...details: unknown[]): void => {
        const detail = details.find((one) => typeof one === 'string');
        received.push([isHedge ? 'second' : 'first', what, detail].filter((part) => part !== undefined).join(' '));
      };
    const lifecycle: RequestLifecycleListener = {
      decided: note('decided'),
      undecided: note('undecided'),
      queued: note('queued'),
      sent: note('asked'),
      begun: note('begun'),
      left: note('left'),
      followed: note('followed'),
      ended: note('ended'),
    };
    const { harness } = hedged({ ...hedging, lifecycle });
    harness.streams[1]!.ack().begin().data().end();
    expect(received).toEqual([
      'first decided',
      'first asked',
      'second decided',
      'second asked',
      'first left overtaken',
      'first followed',
      'first begun',
      'first ended',
    ]);
  });

  test('grants credit to the answering node', () => {
    const { harness, client } = hedged();
    harness.streams[1]!.ack().begin().data('1234');
    client.request.consumed(4);
    expect(harness.streams.map(({ credited }) => credited)).toEqual([0, 4]);
  });

  test('holds its own slot, and both are freed at the end', () => {
    const { harness, client } = hedged();
    expect(harness.context.occupancy.size).toBe(2);
    const waiting = [harness.send(), harness.send()];
    expect(harness.streams).toHaveLength(2);
    client.leave();
    expect(tries(harness).slice(0, 2)).toEqual(['a reset cancelled', 'b reset cancelled']);
    // Each of the two slots starts one of those that waited.
    expect(harness.streams.slice(2).map(({ node }) => node)).toEqual(['a', 'b']);
    for (const one of waiting) one.leave();
    expectOver(harness, client);
  });

  test("frees the loser's slot at the first event", () => {
    const { harness } = hedged();
    harness.send();
    harness.streams[1]!.ack().begin();
    expect(harness.streams[2]!.node).toBe('a');
  });
});

describe('no hedge', () => {
  const none = (options: InferenceHarnessOptions, script: (harness: InferenceHarness) => void): void => {
    const harness = new InferenceHarness(options);
    script(harness);
    harness.pass(LATE_MS * 5);
    expect(harness.streams).toHaveLength(1);
  };

  test('when hedging is off', () => {
    none({}, (harness) => {
      harness.send();
      harness.streams[0]!.ack();
    });
  });

  test('no hedge without a prediction', () => {
    none({ hedging: { percent: 100, lateInMs: null } }, (harness) => {
      harness.send();
      harness.streams[0]!.ack();
    });
  });

  test('for a conversation pinned to one node', () => {
    none(hedging, (harness) => {
      harness.continueAt('a');
      harness.streams[0]!.ack();
    });
  });

  test('no hedge after the first event', () => {
    none(hedging, (harness) => {
      harness.send();
      harness.streams[0]!.ack().begin();
    });
  });

  test('no hedge on the same node, or without a free slot', () => {
    none({ ...hedging, nodes: { a: { slots: 2 } } }, (harness) => {
      harness.send();
      harness.streams[0]!.ack();
    });
    const harness = new InferenceHarness(hedging);
    const [first, second] = [harness.send(), harness.send()];
    for (const stream of harness.streams) stream.ack();
    harness.pass(LATE_MS * 5);
    expect(tries(harness)).toEqual(['a', 'b']);
    for (const stream of [...harness.streams]) stream.begin().data().end();
    expect([first.seen, second.seen]).toEqual([
      ['data: x', 'complete'],
      ['data: x', 'complete'],
    ]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('no hedge on an unhealthy node', () => {
    none(hedging, (harness) => {
      harness.context.health.stopUnconfirmed(harness.fleet.nodes[1]!);
      harness.send();
      harness.streams[0]!.ack();
    });
  });

  test('no hedge beyond the budget of the account', () => {
    const harness = new InferenceHarness({
      nodes: { a: { slots: 99 }, b: { slots: 99 } },
      hedging: { percent: 10, lateInMs: LATE_MS },
    });
    for (let request = 0; request < 30; request += 1) harness.send();
    harness.pass(LATE_MS * 5);
    expect(harness.streams).toHaveLength(33);
  });

  test('no hedge after a second run, nor a second run after a hedge: a prompt runs twice at most', () => {
    const rerun = new InferenceHarness(three);
    rerun.send();
    rerun.streams[0]!.ack().lose();
    rerun.streams[1]!.ack();
    rerun.pass(LATE_MS * 5);
    expect(tries(rerun)).toEqual(['a', 'b']);

    const { harness, client } = hedged(three);
    harness.streams[1]!.ack().lose();
    harness.streams[0]!.lose();
    expect(tries(harness)).toEqual(['a', 'b']);
    expect(client.seen).toEqual(['error: node_disconnected']);
    expect(client.error).toMatchObject({ status: 503, shouldRetry: false });
    expectOver(harness, client);
  });
});

describe('failure of one of two attempts', () => {
  test.each<[string, (harness: InferenceHarness) => void]>([
    ['its node is lost', (harness) => harness.streams[0]!.lose()],
    ['its engine fails', (harness) => harness.streams[0]!.end('failed', { code: 'engine_error' })],
  ])('the first, because %s: the second continues alone', (_, happen) => {
    const { harness, client } = hedged();
    happen(harness);
    expect(client.seen).toEqual([]);
    harness.streams[1]!.ack().begin().data('from b').end();
    expect(client.seen).toEqual(['data: from b', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, nodeId: 'nd_b' }]);
    expectOver(harness, client);
  });

  test('the first refuses late: the second continues alone, with its own deadlines', () => {
    const harness = new InferenceHarness(hedging);
    const client = harness.send();
    harness.pass(LATE_MS);
    harness.streams[0]!.reject('draining');
    expect(tries(harness)).toEqual(['a', 'b']);
    harness.pass(10_000);
    expect(tries(harness)).toEqual(['a', 'b reset failed_over']);
    expect(client.seen).toEqual(['error: engine_timeout']);
    expectOver(harness, client);
  });

  test('the first rejects the request itself: that is the answer', () => {
    const { harness, client } = hedged();
    harness.streams[0]!.end('failed', { code: 'engine_rejected_request', status: 400, message: 'no' });
    expect(client.error).toMatchObject({ status: 400 });
    expect(tries(harness)).toEqual(['a', 'b reset cancelled']);
    expectOver(harness, client);
  });

  test.each<[string, (harness: InferenceHarness) => void]>([
    ['its node is lost', (harness) => harness.streams[1]!.ack().lose()],
    ['its engine fails', (harness) => harness.streams[1]!.ack().end('failed', { code: 'engine_error' })],
    ['it takes too long to accept', (harness) => harness.pass(10_000)],
  ])('the second, because %s: the first continues', (_, happen) => {
    const { harness, client } = hedged();
    happen(harness);
    expect(client.seen).toEqual([]);
    harness.streams[0]!.begin().data('from a').end();
    expect(client.seen).toEqual(['data: from a', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, nodeId: 'nd_a' }]);
    expectOver(harness, client);
  });

  test('a refusing second node does not use up the second run', () => {
    const { harness, client } = hedged(three);
    harness.streams[1]!.reject('draining');
    harness.streams[0]!.lose();
    expect(tries(harness)).toEqual(['a', 'b', 'c']);
    harness.streams[2]!.ack().begin().data().end();
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, hedged: false, attempts: 3 }]);
    expectOver(harness, client);
    const refused = hedged();
    refused.harness.streams[1]!.reject('busy');
    refused.harness.streams[0]!.begin().data().end();
    expect(refused.client.reports).toMatchObject([{ outcome: 'completed', retried: false, attempts: 2 }]);
    expectOver(refused.harness, refused.client);
  });

  test('a second node whose link is closed costs nothing', () => {
    const harness = new InferenceHarness(hedging);
    harness.brokenLinks.add('b');
    const client = harness.send();
    harness.streams[0]!.ack();
    harness.pass(LATE_MS);
    harness.streams[0]!.begin().data().end();
    expect(client.seen).toEqual(['data: x', 'complete']);
    expectOver(harness, client);
  });
});
