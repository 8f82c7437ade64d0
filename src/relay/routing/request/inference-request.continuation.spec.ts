import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import { last } from '../../../../test/support/relay/request-outcomes.js';

const nodesOf = (lab: Lab): string[] => lab.streams.map(({ node }) => node);

describe('a request that continues a conversation', () => {
  test('goes to the node that has it, though others are free', () => {
    const lab = new Lab({ nodes: { a: {}, b: {}, c: {} } });
    const client = lab.continueAt('b');
    last(lab).ack().begin().data().end();
    expect(nodesOf(lab)).toEqual(['b']);
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('waits for that node, while later ones pass it on free nodes', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    lab.continueAt('b');
    const waiting = lab.continueAt('b');
    const other = lab.send();
    expect(nodesOf(lab)).toEqual(['b', 'a']);
    lab.streams[1]!.ack().begin().data().end();
    expect(other.seen).toEqual(['data: x', 'complete']);
    expect(waiting.seen).toEqual([]);
    lab.streams[0]!.ack().begin().data().end();
    last(lab).ack().begin().data().end();
    expect(nodesOf(lab)).toEqual(['b', 'a', 'b']);
    expect(waiting.seen).toEqual(['data: x', 'complete']);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('is never run again elsewhere when its node is lost', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    const client = lab.continueAt('b');
    last(lab).ack().lose();
    expect(nodesOf(lab)).toEqual(['b']);
    expect(client.error).toMatchObject({ code: 'node_disconnected', status: 503, shouldRetry: false });
    expect(client.reports).toMatchObject([{ outcome: 'failed', retried: false }]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('that its node refuses goes nowhere else', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    const client = lab.continueAt('b');
    last(lab).reject('draining');
    expect(nodesOf(lab)).toEqual(['b']);
    expect(client.error).toMatchObject({ code: 'no_node_for_user', reason: 'nodes_unavailable' });
  });

  test('whose node goes away while it waits is told at once: only the client has the whole conversation now', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    lab.continueAt('b');
    const waiting = lab.continueAt('b');
    lab.fleet.nodes.splice(1);
    lab.fleetChanged();
    expect(waiting.error).toMatchObject({ code: 'previous_response_not_found', status: 404 });
    expect(waiting.reports).toMatchObject([{ outcome: 'rejected' }]);
  });
});

describe('the id of a response', () => {
  test('is made for the node that is asked, anew for each that is asked', () => {
    const lab = new Lab({ nodes: { a: {}, b: {} } });
    lab.send({}, { dialect: 'chat' }, { responseId: (nodeId) => `resp_for_${nodeId}` });
    last(lab).reject('draining');
    expect(lab.streams.map(({ head }) => head.response_id)).toEqual(['resp_for_nd_a', 'resp_for_nd_b']);
  });

  test('is not sent where the dialect has none', () => {
    const lab = new Lab();
    lab.send();
    expect(last(lab).head.response_id).toBeNull();
  });
});
