import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabClient, type LabOptions } from '../../../../test/support/relay/inference.harness.js';
import { last } from '../../../../test/support/relay/request-outcomes.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { Health } from './health-view.js';

const healthOf = (lab: Lab, name: string): Health => lab.context.health.worstOf(`nd_${name}` as NodeId);
const stateOf = (lab: Lab, name: string): string => healthOf(lab, name).state;
const alone: LabOptions = { nodes: { a: {} } };

const complete = (lab: Lab): void => {
  last(lab).ack().begin().data().end();
};
/** One request that the engine fails. */
const fails = (lab: Lab): LabClient => {
  const client = lab.send();
  last(lab).ack().end('failed', { code: 'engine_error' });
  lab.clock.advance(1);
  return client;
};
const makeSuspect = (lab: Lab): void => {
  for (let failure = 0; failure < 3; failure += 1) fails(lab);
};

describe('the health of a node', () => {
  test('is lost with failures in a row, and then others get the work', () => {
    const lab = new Lab();
    fails(lab);
    fails(lab);
    expect(stateOf(lab, 'a')).toBe('healthy');
    fails(lab);
    expect(stateOf(lab, 'a')).toBe('suspect');
    lab.send();
    expect(last(lab).node).toBe('b');
  });

  test('is not lost when work in between is done', () => {
    const lab = new Lab(alone);
    for (let round = 0; round < 5; round += 1) {
      fails(lab);
      fails(lab);
      lab.send();
      complete(lab);
    }
    expect(stateOf(lab, 'a')).toBe('healthy');
    expect(lab.context.health.size).toBe(0);
  });

  test('is not lost by what clients do, by refusals, or by requests that are at fault', () => {
    const lab = new Lab(alone);
    for (let round = 0; round < 5; round += 1) {
      lab.send().leave();
      lab.send();
      last(lab).ack().end('failed', { code: 'engine_rejected_request', status: 400 });
      lab.send();
      last(lab).reject('draining');
      lab.clock.advance(1);
    }
    expect([stateOf(lab, 'a'), lab.context.health.size]).toEqual(['healthy', 0]);
  });

  test('counts one disconnect as one failure, however many requests it costs', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 } } });
    for (let request = 0; request < 4; request += 1) lab.send();
    for (const stream of [...lab.streams]) stream.ack().begin();
    for (const stream of [...lab.streams]) {
      stream.lose();
      lab.clock.advance(1);
    }
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('never refuses a request: the only node gets it, suspect, on probation and probed alike', () => {
    const lab = new Lab({ nodes: { a: { slots: 8 } } });
    makeSuspect(lab);
    const clients = [lab.send(), lab.send()];
    lab.pass(5_000);
    expect(stateOf(lab, 'a')).toBe('probing');
    clients.push(lab.send(), lab.send());
    for (const stream of lab.streams.slice(3)) stream.ack().begin().data().end();
    expect(clients.map(({ seen }) => seen.at(-1))).toEqual(Array(4).fill('complete'));
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('when all are suspect, sends the request to the least bad of them, and makes it wait when they are full', () => {
    const lab = new Lab();
    makeSuspect(lab);
    lab.pass(2_000);
    makeSuspect(lab);
    expect([stateOf(lab, 'a'), stateOf(lab, 'b')]).toEqual(['suspect', 'suspect']);
    lab.pass(3_500);
    expect([stateOf(lab, 'a'), stateOf(lab, 'b')]).toEqual(['probing', 'suspect']);
    lab.send();
    expect(last(lab).node).toBe('a');
    lab.send();
    expect(last(lab).node).toBe('b');
    const waiting = lab.send();
    expect([waiting.seen, lab.streams.length]).toEqual([[], 8]);
    complete(lab);
    expect(lab.streams).toHaveLength(9);
  });

  test('does not send anybody to a suspect node while a healthy one is only full', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    makeSuspect(lab);
    lab.send();
    expect(last(lab).node).toBe('b');
    lab.send();
    expect(last(lab).node).toBe('b');
    expect(lab.context.queue.size).toBe(1);
  });

  test('lets who waits for a healthy node go to a suspect one when it turns suspect, too', () => {
    const lab = new Lab({ nodes: { a: {}, b: { slots: 2 } }, health: { healthFailureThreshold: 1 } });
    fails(lab);
    lab.send();
    lab.send();
    const waiting = [lab.send(), lab.send()];
    expect(lab.context.queue.size).toBe(2);
    last(lab).ack().end('failed', { code: 'engine_error' });
    expect(lab.context.queue.size).toBe(0);
    expect(
      lab.streams
        .slice(-2)
        .map(({ node }) => node)
        .sort(),
    ).toEqual(['a', 'b']);
    expect(waiting.map(({ error }) => error)).toEqual([null, null]);
  });

  test('comes back with a probe: one request at a time, and a completed one makes it healthy', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 }, b: {} } });
    makeSuspect(lab);
    lab.pass(5_000);
    expect(stateOf(lab, 'a')).toBe('probing');
    const asked = lab.streams.length;
    const clients = [lab.send(), lab.send(), lab.send()];
    expect(lab.streams.slice(asked).map(({ node }) => node)).toEqual(['b', 'a']);
    lab.streams[asked + 1]!.ack().begin().data().end();
    expect(stateOf(lab, 'a')).toBe('healthy');
    expect(last(lab).node).toBe('a');
    for (const client of clients) client.leave();
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('is probed later and later while probes fail', () => {
    const lab = new Lab(alone);
    makeSuspect(lab);
    for (const waitMs of [5_000, 10_000, 20_000]) {
      lab.pass(waitMs - 1_000);
      expect(stateOf(lab, 'a')).toBe('suspect');
      lab.pass(1_000);
      expect(stateOf(lab, 'a')).toBe('probing');
      fails(lab);
      expect(stateOf(lab, 'a')).toBe('suspect');
    }
  });

  test('is not probed while a healthy node has room', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    makeSuspect(lab);
    lab.pass(5_000);
    lab.send();
    expect(last(lab).node).toBe('b');
    lab.send();
    expect(last(lab).node).toBe('a');
  });

  test('a client that leaves its probe proves nothing: the next request is the probe', () => {
    const lab = new Lab(alone);
    makeSuspect(lab);
    lab.pass(5_000);
    lab.send().leave();
    expect(stateOf(lab, 'a')).toBe('probing');
    lab.send();
    complete(lab);
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('who waits is served by the node that may be probed', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    makeSuspect(lab);
    lab.send();
    const waiting = lab.send();
    expect(waiting.seen).toEqual([]);
    lab.pass(5_000);
    expect(last(lab).node).toBe('a');
    complete(lab);
    expect(waiting.seen).toEqual(['data: x', 'complete']);
  });
});

describe('a node that does not stop when told to', () => {
  test('is suspect; one that says so is not, and tells what was used', () => {
    const lab = new Lab({ confirming: true });
    const first = lab.send();
    last(lab).ack().begin();
    first.leave();
    expect(first.reports).toMatchObject([{ outcome: 'cancelled', usage: null, usagePending: true }]);
    last(lab).stopped(7);
    expect(first.confirmed).toMatchObject([{ output_tokens: 7 }]);
    expect(stateOf(lab, 'a')).toBe('healthy');

    const second = lab.send();
    last(lab).ack().begin();
    second.leave();
    last(lab).stopped('missing');
    expect(second.confirmed).toEqual([null]);
    expect(stateOf(lab, 'a')).toBe('suspect');
    expect(healthOf(lab, 'a').reason).toBe('unconfirmed_stop');
  });

  test('is not suspected when it never promised to', () => {
    const lab = new Lab(alone);
    const client = lab.send();
    last(lab).ack();
    client.leave();
    expect(client.reports).toMatchObject([{ usagePending: false }]);
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('a run that another node takes over is not metered a second time', () => {
    const lab = new Lab({ confirming: true });
    const client = lab.send();
    lab.pass(10_000);
    lab.streams[0]!.stopped(3);
    complete(lab);
    expect(client.confirmed).toEqual([]);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: true, usagePending: false }]);
  });
});

describe('a first event that does not come', () => {
  test('makes the node suspect long before the request is given up', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, stallAfterMs: 60_000 });
    const wedged = lab.send();
    last(lab).ack();
    lab.pass(59_000);
    expect(stateOf(lab, 'a')).toBe('healthy');
    lab.pass(2_000);
    expect(stateOf(lab, 'a')).not.toBe('healthy');
    expect(wedged.seen).toEqual([]);
    lab.send();
    expect(last(lab).node).toBe('b');
    lab.pass(900_000);
    expect(wedged.error).toMatchObject({ code: 'engine_timeout' });
  });

  test('is waited for as long as is predicted', () => {
    const lab = new Lab({ ...alone, stallAfterMs: 300_000 });
    lab.send();
    last(lab).ack();
    lab.pass(299_000);
    expect(stateOf(lab, 'a')).toBe('healthy');
    lab.pass(2_000);
    expect(stateOf(lab, 'a')).toBe('suspect');
  });

  test('is no stall as long as nobody knows how long it should take', () => {
    const lab = new Lab(alone);
    lab.send();
    last(lab).ack();
    lab.pass(800_000);
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('of a whole answer is a stall, too, and the request waits on for all of its time', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, stallAfterMs: 90_000 });
    const whole = lab.send({ stream: false });
    last(lab).ack();
    lab.pass(89_000);
    expect(stateOf(lab, 'a')).toBe('healthy');
    lab.pass(2_000);
    expect(stateOf(lab, 'a')).not.toBe('healthy');
    expect(whole.seen).toEqual([]);
    lab.send();
    expect(last(lab).node).toBe('b');
    lab.pass(1_800_000);
    expect(whole.reports).toMatchObject([{ outcome: 'timed_out', code: 'engine_timeout' }]);
  });

  test('that comes after all, with all the rest, clears the node', () => {
    const lab = new Lab({ ...alone, stallAfterMs: 60_000 });
    lab.send({ stream: false });
    const [late] = lab.streams;
    late!.ack();
    lab.pass(61_000);
    expect(stateOf(lab, 'a')).not.toBe('healthy');
    late!.begin(1).data().end();
    expect([stateOf(lab, 'a'), lab.context.health.size]).toEqual(['healthy', 0]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('is no stall while the node streams anything else', () => {
    const lab = new Lab({ nodes: { a: { slots: 2 } }, stallAfterMs: 60_000 });
    const long = lab.send();
    lab.streams[0]!.ack();
    lab.send();
    lab.streams[1]!.ack().begin();
    for (let second = 0; second < 300; second += 10) {
      lab.pass(10_000);
      lab.streams[1]!.data();
      expect(stateOf(lab, 'a')).toBe('healthy');
    }
    lab.pass(63_000);
    expect(healthOf(lab, 'a')).toMatchObject({ state: 'suspect', reason: 'stalled' });
    lab.streams[1]!.data();
    lab.streams[0]!.begin().data().end();
    expect([long.seen.at(-1), stateOf(lab, 'a')]).toEqual(['complete', 'healthy']);
  });

  test('is a stall when all that the node streams is its own sign of life for another silent request', () => {
    const lab = new Lab({ nodes: { a: { slots: 2 } }, stallAfterMs: 60_000 });
    lab.send();
    lab.streams[0]!.ack();
    lab.send();
    lab.streams[1]!.ack().keepAlive();
    lab.pass(61_000);
    expect(healthOf(lab, 'a').reason).toBe('stalled');
  });

  test.each(['begins', 'is completed'])('is no stall any more when another answer %s', (how) => {
    const lab = new Lab({ nodes: { a: { slots: 3 } }, stallAfterMs: 60_000 });
    lab.send();
    lab.streams[0]!.ack().begin();
    lab.send();
    lab.streams[1]!.ack();
    lab.pass(61_000);
    expect(healthOf(lab, 'a').reason).toBe('stalled');
    if (how === 'begins') {
      lab.send();
      last(lab).ack().begin();
    } else lab.streams[0]!.data().end();
    expect(stateOf(lab, 'a')).toBe('healthy');
  });
});
