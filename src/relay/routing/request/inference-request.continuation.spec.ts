import { describe, expect, test } from '@jest/globals';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';

const nodesOf = (harness: InferenceHarness): string[] => harness.streams.map(({ node }) => node);

describe('a request that continues a conversation', () => {
  test('goes to the node that has it, although others are free', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {}, c: {} } });
    const client = harness.continueAt('b');
    harness.last.ack().begin().data().end();
    expect(nodesOf(harness)).toEqual(['b']);
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('waits for that node, while later requests use free nodes', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.continueAt('b');
    const waiting = harness.continueAt('b');
    const other = harness.send();
    expect(nodesOf(harness)).toEqual(['b', 'a']);
    harness.streams[1]!.ack().begin().data().end();
    expect(other.seen).toEqual(['data: x', 'complete']);
    expect(waiting.seen).toEqual([]);
    harness.streams[0]!.ack().begin().data().end();
    harness.last.ack().begin().data().end();
    expect(nodesOf(harness)).toEqual(['b', 'a', 'b']);
    expect(waiting.seen).toEqual(['data: x', 'complete']);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('a request that continues a conversation is never run again elsewhere when its node is lost', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const client = harness.continueAt('b');
    harness.last.ack().lose();
    expect(nodesOf(harness)).toEqual(['b']);
    expect(client.error).toMatchObject({ code: 'node_disconnected', status: 503, shouldRetry: false });
    expect(client.reports).toMatchObject([{ outcome: 'failed', retried: false }]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('refused by its node goes nowhere else', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const client = harness.continueAt('b');
    harness.last.reject('draining');
    expect(nodesOf(harness)).toEqual(['b']);
    expect(client.error).toMatchObject({ code: 'no_node_for_user', reason: 'nodes_unavailable' });
  });

  test('a request that continues a conversation whose node goes away while it waits fails at once', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.continueAt('b');
    const waiting = harness.continueAt('b');
    harness.fleet.nodes.splice(1);
    harness.fleetChanged();
    expect(waiting.error).toMatchObject({ code: 'previous_response_not_found', status: 404 });
    expect(waiting.reports).toMatchObject([{ outcome: 'rejected' }]);
  });
});

describe('the id of a response', () => {
  test('the id of a response is made anew for each node that is asked', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    harness.send({}, { dialect: 'chat' }, { responseId: (nodeId) => `resp_for_${nodeId}` });
    harness.last.reject('draining');
    expect(harness.streams.map(({ head }) => head.response_id)).toEqual(['resp_for_nd_a', 'resp_for_nd_b']);
  });

  test('the id of a response is not sent where the dialect has none', () => {
    const harness = new InferenceHarness();
    harness.send();
    expect(harness.last.head.response_id).toBeNull();
  });
});
