import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabClient } from '../../../../test/support/relay/inference.harness.js';
import { alone, last } from '../../../../test/support/relay/request-outcomes.js';

describe('waiting for a slot', () => {
  const running = (lab: Lab): LabClient => {
    const client = lab.send();
    last(lab).ack().begin();
    return client;
  };

  test('the next in line starts in the moment a slot is free', () => {
    const lab = new Lab(alone);
    running(lab);
    const second = lab.send();
    const third = lab.send();
    expect(lab.streams).toHaveLength(1);
    lab.pass(2_000);
    lab.streams[0]!.end();
    expect(lab.streams).toHaveLength(2);
    lab.streams[1]!.ack().begin().data().end();
    expect(second.seen).toEqual(['data: x', 'complete']);
    expect(second.reports[0]!.queuedMs).toBeGreaterThanOrEqual(2_000);
    lab.streams[2]!.ack().begin().data().end();
    expect(third.seen).toEqual(['data: x', 'complete']);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('a client that leaves the running stream makes room', () => {
    const lab = new Lab(alone);
    const first = running(lab);
    lab.send();
    first.leave();
    expect(lab.streams.map(({ resets }) => resets)).toEqual([['cancelled'], []]);
  });

  test('a client that leaves the queue is not woken and is counted once', () => {
    const lab = new Lab(alone);
    running(lab);
    const waiting = lab.send();
    waiting.leave();
    lab.streams[0]!.end();
    expect(lab.streams).toHaveLength(1);
    expect(waiting.reports).toMatchObject([{ outcome: 'cancelled', attempts: 0, nodeId: null }]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('the deadline of the queue is 429 with Retry-After, which may be retried', () => {
    const lab = new Lab(alone);
    running(lab);
    const waiting = lab.send();
    lab.pass(30_000);
    expect(waiting.seen).toEqual(['error: capacity']);
    // No slot became free in all that time.
    expect(waiting.error).toMatchObject({ status: 429, retryAfterSeconds: 31, shouldRetry: true });
    expect(waiting.reports).toMatchObject([{ outcome: 'rejected' }]);
  });

  test('a full line is 429 at once', () => {
    const lab = new Lab({ ...alone, queueLimit: 1 });
    running(lab);
    lab.send();
    expect(lab.send().error).toMatchObject({ code: 'capacity', status: 429, retryAfterSeconds: 1 });
  });

  test('no waiting at all when the queue is turned off', () => {
    const lab = new Lab({ ...alone, limits: { queueTimeoutMs: 0 } });
    running(lab);
    expect(lab.send().error).toMatchObject({ code: 'capacity' });
  });

  test('a node that comes online takes from the queue', () => {
    const lab = new Lab(alone);
    running(lab);
    lab.send();
    lab.fleet.nodes.push(lab.node('new'));
    lab.fleetChanged();
    expect(last(lab).node).toBe('new');
  });

  test('whose node goes away while it waits goes on waiting, and hears the reason at the deadline', () => {
    const lab = new Lab(alone);
    running(lab);
    const waiting = lab.send();
    const [node] = lab.fleet.nodes.splice(0);
    lab.fleetChanged();
    expect(waiting.seen).toEqual([]);
    lab.fleet.nodes.push(node!);
    lab.fleetChanged();
    lab.fleet.nodes.splice(0);
    lab.fleetChanged();
    lab.pass(30_000);
    expect(waiting.error).toMatchObject({ code: 'no_node_for_user', reason: 'no_node_online' });
  });

  test('a lost run that finds no free node waits before those that came later', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    const first = lab.send();
    running(lab);
    const third = lab.send();
    lab.streams[0]!.ack().lose();
    expect([first.seen, third.seen]).toEqual([[], []]);
    // The queue offers the slot of the lost node to the third; the first must not go back there.
    expect(last(lab)).toMatchObject({ node: 'a', phase: 'opened' });
    lab.streams[1]!.end();
    expect(last(lab).node).toBe('b');
    last(lab).ack().begin().data().end();
    expect(first.seen).toEqual(['data: x', 'complete']);
    expect(first.reports).toMatchObject([{ retried: true }]);
  });

  test('a lost run that finds no node until the deadline says so, and must not be repeated blindly', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    const first = lab.send();
    running(lab);
    lab.streams[0]!.ack().lose();
    lab.pass(30_000);
    expect(first.error).toMatchObject({ code: 'node_disconnected', status: 503, shouldRetry: false });
  });

  test('an engine that is busier than the relay knows is left alone by everybody for a moment', () => {
    const lab = new Lab({ nodes: { a: { slots: 2 } } });
    const clients = [lab.send(), lab.send(), lab.send(), lab.send()];
    lab.streams[0]!.reject('busy');
    lab.streams[1]!.reject('busy');
    expect(lab.streams).toHaveLength(2);
    lab.pass(600);
    expect(lab.streams).toHaveLength(4);
    for (let index = 2; index < 6; index += 1) lab.streams[index]!.ack().begin().data().end();
    for (const client of clients) expect(client.seen).toEqual(['data: x', 'complete']);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('a slot that one request is refused is offered to the others', () => {
    const lab = new Lab(alone);
    lab.send();
    lab.send();
    lab.streams[0]!.reject('unsupported');
    expect(lab.streams).toHaveLength(2);
  });

  test('requests never exceed the slots of an engine', () => {
    const lab = new Lab({ nodes: { a: { slots: 2 }, b: { slots: 3 } } });
    for (let index = 0; index < 9; index += 1) lab.send();
    expect(lab.streams.filter(({ node }) => node === 'a')).toHaveLength(2);
    expect(lab.streams.filter(({ node }) => node === 'b')).toHaveLength(3);
  });
});
