import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabClient, type LabOptions } from '../../../../test/support/relay/inference.harness.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { RequestLifecycleListener, ObservedRequest } from '../request/request-lifecycle-listener.js';

const LATE_MS = 1_000;
const hedging: LabOptions = { hedging: { percent: 100, lateInMs: LATE_MS }, confirming: true };
const three: LabOptions = { ...hedging, nodes: { a: {}, b: {}, c: {} } };

/** A request that `a` has and says nothing about, until `b` has it, too. */
function hedged(options: LabOptions = hedging, fields: object = {}): { lab: Lab; client: LabClient } {
  const lab = new Lab(options);
  const client = lab.send(fields);
  lab.streams[0]!.ack();
  lab.pass(LATE_MS);
  return { lab, client };
}

const tries = (lab: Lab): string[] =>
  lab.streams.map(({ node, resets }) => [node, ...resets.map((reason) => `reset ${reason}`)].join(' '));

/** What comes too late changes nothing, and nothing is left. */
function expectOver(lab: Lab, client: LabClient): void {
  const seen = [...client.seen];
  for (const stream of [...lab.streams]) {
    stream.ack().begin().data('late');
    stream.end();
    stream.lose();
    stream.stopped(1);
  }
  client.leave();
  expect(client.seen).toEqual(seen);
  expect(client.reports).toHaveLength(1);
  expect(client.bodyReleases).toBe(1);
  expect(lab.leftovers()).toEqual(nothingLeft);
}

describe('a second try', () => {
  test('is made when the first is late, and wins with its first event', () => {
    const { lab, client } = hedged();
    expect(tries(lab)).toEqual(['a', 'b']);
    expect([lab.streams[1]!.head.request_id, lab.streams[1]!.body.toString()]).toEqual([
      lab.streams[0]!.head.request_id,
      'the body',
    ]);
    lab.streams[1]!.ack().begin();
    expect(tries(lab)).toEqual(['a reset failed_over', 'b']);
    lab.streams[0]!.data('from the loser');
    lab.streams[1]!.data('from b').end();
    expect(client.seen).toEqual(['data: from b', 'complete']);
    expect(client.reports).toMatchObject([
      { outcome: 'completed', retried: true, hedged: true, attempts: 2, nodeId: 'nd_b', usagePending: false },
    ]);
    expectOver(lab, client);
  });

  test('loses when the first answers after all', () => {
    const { lab, client } = hedged();
    lab.streams[1]!.ack();
    lab.streams[0]!.begin();
    expect(tries(lab)).toEqual(['a', 'b reset failed_over']);
    lab.streams[0]!.data('from a').end();
    expect(client.seen).toEqual(['data: from a', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, attempts: 2, nodeId: 'nd_a' }]);
    expectOver(lab, client);
  });

  test('is made for whole answers, too', () => {
    const { lab, client } = hedged(hedging, { stream: false });
    lab.streams[1]!.ack().begin(1).data('b').end();
    expect(client.seen).toEqual(['data: b', 'complete']);
    expect(tries(lab)).toEqual(['a reset failed_over', 'b']);
    expectOver(lab, client);
  });

  test('is made although the first node has not even taken the request', () => {
    const lab = new Lab(hedging);
    const client = lab.send();
    lab.pass(LATE_MS);
    lab.streams[1]!.ack().begin().data().end();
    expect(client.seen).toEqual(['data: x', 'complete']);
    expectOver(lab, client);
  });

  test('that loses must confirm that it has stopped, or its node is suspect', () => {
    const { lab } = hedged();
    lab.streams[1]!.ack().begin();
    expect(lab.context.health.worstOf('nd_a' as NodeId).state).toBe('healthy');
    lab.streams[0]!.stopped('missing');
    expect(lab.context.health.worstOf('nd_a' as NodeId).reason).toBe('unconfirmed_stop');
  });

  test('is heard of by who watches, step by step', () => {
    const heard: string[] = [];
    const note =
      (what: string) =>
      ({ isHedge = false }: ObservedRequest, ...details: unknown[]): void => {
        const detail = details.find((one) => typeof one === 'string');
        heard.push([isHedge ? 'second' : 'first', what, detail].filter((part) => part !== undefined).join(' '));
      };
    const lifecycle: RequestLifecycleListener = {
      decided: note('decided'),
      undecided: note('undecided'),
      queued: note('queued'),
      asked: note('asked'),
      begun: note('begun'),
      left: note('left'),
      followed: note('followed'),
      ended: note('ended'),
    };
    const { lab } = hedged({ ...hedging, lifecycle });
    lab.streams[1]!.ack().begin().data().end();
    expect(heard).toEqual([
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

  test('gives credit to the node that answers', () => {
    const { lab, client } = hedged();
    lab.streams[1]!.ack().begin().data('1234');
    client.request.taken(4);
    expect(lab.streams.map(({ credited }) => credited)).toEqual([0, 4]);
  });

  test('holds a slot of its own, and both are free when the request is over', () => {
    const { lab, client } = hedged();
    expect(lab.context.occupancy.size).toBe(2);
    const waiting = [lab.send(), lab.send()];
    expect(lab.streams).toHaveLength(2);
    client.leave();
    expect(tries(lab).slice(0, 2)).toEqual(['a reset cancelled', 'b reset cancelled']);
    // Each of the two slots starts one of those that waited.
    expect(lab.streams.slice(2).map(({ node }) => node)).toEqual(['a', 'b']);
    for (const one of waiting) one.leave();
    expectOver(lab, client);
  });

  test('frees the loser’s slot in the moment of the first event', () => {
    const { lab } = hedged();
    lab.send();
    lab.streams[1]!.ack().begin();
    expect(lab.streams[2]!.node).toBe('a');
  });
});

describe('no second try', () => {
  const none = (options: LabOptions, script: (lab: Lab) => void): void => {
    const lab = new Lab(options);
    script(lab);
    lab.pass(LATE_MS * 5);
    expect(lab.streams).toHaveLength(1);
  };

  test('where hedging is off', () => {
    none({}, (lab) => {
      lab.send();
      lab.streams[0]!.ack();
    });
  });

  test('where nobody can tell what is late', () => {
    none({ hedging: { percent: 100, lateInMs: null } }, (lab) => {
      lab.send();
      lab.streams[0]!.ack();
    });
  });

  test('for a conversation that one node has', () => {
    none(hedging, (lab) => {
      lab.continueAt('a');
      lab.streams[0]!.ack();
    });
  });

  test('after the first event', () => {
    none(hedging, (lab) => {
      lab.send();
      lab.streams[0]!.ack().begin();
    });
  });

  test('on the node that has the request already, or where no slot is free', () => {
    none({ ...hedging, nodes: { a: { slots: 2 } } }, (lab) => {
      lab.send();
      lab.streams[0]!.ack();
    });
    const lab = new Lab(hedging);
    const [first, second] = [lab.send(), lab.send()];
    for (const stream of lab.streams) stream.ack();
    lab.pass(LATE_MS * 5);
    expect(tries(lab)).toEqual(['a', 'b']);
    for (const stream of [...lab.streams]) stream.begin().data().end();
    expect([first.seen, second.seen]).toEqual([
      ['data: x', 'complete'],
      ['data: x', 'complete'],
    ]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('on a node that is not in good health', () => {
    none(hedging, (lab) => {
      lab.context.health.stopUnconfirmed(lab.fleet.nodes[1]!);
      lab.send();
      lab.streams[0]!.ack();
    });
  });

  test('beyond the budget of the account', () => {
    const lab = new Lab({ nodes: { a: { slots: 99 }, b: { slots: 99 } }, hedging: { percent: 10, lateInMs: LATE_MS } });
    for (let request = 0; request < 30; request += 1) lab.send();
    lab.pass(LATE_MS * 5);
    expect(lab.streams).toHaveLength(33);
  });

  test('after a second run, and no second run after a second try: a prompt runs twice at most', () => {
    const rerun = new Lab(three);
    rerun.send();
    rerun.streams[0]!.ack().lose();
    rerun.streams[1]!.ack();
    rerun.pass(LATE_MS * 5);
    expect(tries(rerun)).toEqual(['a', 'b']);

    const { lab, client } = hedged(three);
    lab.streams[1]!.ack().lose();
    lab.streams[0]!.lose();
    expect(tries(lab)).toEqual(['a', 'b']);
    expect(client.seen).toEqual(['error: node_disconnected']);
    expect(client.error).toMatchObject({ status: 503, shouldRetry: false });
    expectOver(lab, client);
  });
});

describe('one of two tries that fails', () => {
  test.each<[string, (lab: Lab) => void]>([
    ['its node is lost', (lab) => lab.streams[0]!.lose()],
    ['its engine fails', (lab) => lab.streams[0]!.end('failed', { code: 'engine_error' })],
  ])('the first, because %s: the second has the request alone', (_, happen) => {
    const { lab, client } = hedged();
    happen(lab);
    expect(client.seen).toEqual([]);
    lab.streams[1]!.ack().begin().data('from b').end();
    expect(client.seen).toEqual(['data: from b', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, nodeId: 'nd_b' }]);
    expectOver(lab, client);
  });

  test('the first, because it refuses late: the second has the request alone, and its own deadlines', () => {
    const lab = new Lab(hedging);
    const client = lab.send();
    lab.pass(LATE_MS);
    lab.streams[0]!.reject('draining');
    expect(tries(lab)).toEqual(['a', 'b']);
    lab.pass(10_000);
    expect(tries(lab)).toEqual(['a', 'b reset failed_over']);
    expect(client.seen).toEqual(['error: engine_timeout']);
    expectOver(lab, client);
  });

  test('the first, because of the request itself: that is the answer', () => {
    const { lab, client } = hedged();
    lab.streams[0]!.end('failed', { code: 'engine_rejected_request', status: 400, message: 'no' });
    expect(client.error).toMatchObject({ status: 400 });
    expect(tries(lab)).toEqual(['a', 'b reset cancelled']);
    expectOver(lab, client);
  });

  test.each<[string, (lab: Lab) => void]>([
    ['its node is lost', (lab) => lab.streams[1]!.ack().lose()],
    ['its engine fails', (lab) => lab.streams[1]!.ack().end('failed', { code: 'engine_error' })],
    ['it takes too long to accept', (lab) => lab.pass(10_000)],
  ])('the second, because %s: the first goes on', (_, happen) => {
    const { lab, client } = hedged();
    happen(lab);
    expect(client.seen).toEqual([]);
    lab.streams[0]!.begin().data('from a').end();
    expect(client.seen).toEqual(['data: from a', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, nodeId: 'nd_a' }]);
    expectOver(lab, client);
  });

  test('a second node that refuses has run nothing: that is no retry, and the one second run is left', () => {
    const { lab, client } = hedged(three);
    lab.streams[1]!.reject('draining');
    lab.streams[0]!.lose();
    expect(tries(lab)).toEqual(['a', 'b', 'c']);
    lab.streams[2]!.ack().begin().data().end();
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, hedged: false, attempts: 3 }]);
    expectOver(lab, client);
    const refused = hedged();
    refused.lab.streams[1]!.reject('busy');
    refused.lab.streams[0]!.begin().data().end();
    expect(refused.client.reports).toMatchObject([{ outcome: 'completed', retried: false, attempts: 2 }]);
    expectOver(refused.lab, refused.client);
  });

  test('a second node whose link takes nothing costs nothing', () => {
    const lab = new Lab(hedging);
    lab.deaf.add('b');
    const client = lab.send();
    lab.streams[0]!.ack();
    lab.pass(LATE_MS);
    lab.streams[0]!.begin().data().end();
    expect(client.seen).toEqual(['data: x', 'complete']);
    expectOver(lab, client);
  });
});
