import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabClient, type LabOptions } from '../../../../test/support/inference-lab.js';
import { last } from '../../../../test/support/request-outcomes.js';
import type { NodeId } from '../../../kernel/ids.js';

const stateOf = (lab: Lab, name: string): string => lab.desk.health.stateOf(`nd_${name}` as NodeId);
const alone: LabOptions = { nodes: { a: {} } };

const complete = (lab: Lab): void => {
  last(lab).ack().begin().data().end();
};
/** One request that the engine fails. */
const fails = (lab: Lab): LabClient => {
  const client = lab.send();
  last(lab).ack().end('failed', { code: 'engine_error' });
  lab.nowMs += 1;
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
    expect(lab.desk.health.size).toBe(0);
  });

  test('is not lost by what clients do, by refusals, or by requests that are at fault', () => {
    const lab = new Lab(alone);
    for (let round = 0; round < 5; round += 1) {
      lab.send().leave();
      lab.send();
      last(lab).ack().end('failed', { code: 'engine_rejected_request', status: 400 });
      lab.send();
      last(lab).reject('draining');
      lab.nowMs += 1;
    }
    expect([stateOf(lab, 'a'), lab.desk.health.size]).toEqual(['healthy', 0]);
  });

  test('counts one disconnect as one failure, however many requests it costs', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 } } });
    for (let request = 0; request < 4; request += 1) lab.send();
    for (const stream of [...lab.streams]) stream.ack().begin();
    for (const stream of [...lab.streams]) {
      stream.lose();
      lab.nowMs += 1;
    }
    expect(stateOf(lab, 'a')).toBe('healthy');
  });

  test('with only suspects left is 503 nodes_unavailable', () => {
    const lab = new Lab(alone);
    makeSuspect(lab);
    expect(lab.send().error).toMatchObject({ code: 'no_node_for_user', reason: 'nodes_unavailable', status: 503 });
  });

  test('comes back with a probe: one request at a time, and a completed one makes it healthy', () => {
    const lab = new Lab({ nodes: { a: { slots: 4 } } });
    makeSuspect(lab);
    lab.pass(5_000);
    expect(stateOf(lab, 'a')).toBe('probing');
    const asked = lab.streams.length;
    lab.send();
    lab.send();
    expect(lab.streams).toHaveLength(asked + 1);
    lab.streams[asked]!.ack().begin().data().end();
    expect(stateOf(lab, 'a')).toBe('healthy');
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
    expect(lab.desk.health.reasonOf('nd_a' as NodeId)).toBe('unconfirmed_stop');
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
    const lab = new Lab({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, overdueInMs: 1_000 });
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
    const lab = new Lab({ ...alone, overdueInMs: 300_000 });
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
    const lab = new Lab({ nodes: { a: { slots: 4 }, b: { slots: 4 } }, overdueInMs: 90_000 });
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
    const lab = new Lab({ ...alone, overdueInMs: 1_000 });
    lab.send({ stream: false });
    const [late] = lab.streams;
    late!.ack();
    lab.pass(61_000);
    expect(stateOf(lab, 'a')).not.toBe('healthy');
    late!.begin(1).data().end();
    expect([stateOf(lab, 'a'), lab.desk.health.size]).toEqual(['healthy', 0]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('clears nothing when it is another answer that was under way', () => {
    const lab = new Lab({ nodes: { a: { slots: 2 } }, overdueInMs: 1_000 });
    lab.send();
    lab.streams[0]!.ack().begin();
    lab.send();
    lab.streams[1]!.ack();
    lab.pass(61_000);
    lab.streams[0]!.data().end();
    expect(stateOf(lab, 'a')).not.toBe('healthy');
  });
});
