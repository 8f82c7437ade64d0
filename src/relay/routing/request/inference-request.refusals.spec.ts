import { describe, expect, test } from '@jest/globals';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import type { NodeFailure } from '../../../link/messages.js';

const refusals: readonly [string, Partial<NodeFailure>, object][] = [
  [
    'is busy',
    { code: 'engine_rejected_request', status: 429, unavailable: 'busy', retry_after_seconds: 9 },
    { code: 'capacity', status: 429, shouldRetry: true, retryAfterSeconds: 9 },
  ],
  [
    'still loads its model',
    { code: 'engine_rejected_request', status: 429, unavailable: 'loading' },
    { code: 'no_node_for_user', status: 503, shouldRetry: true, reason: 'model_loading' },
  ],
  [
    'lacks a capability that it had not told of',
    { code: 'unsupported_capability', status: 400, param: 'messages', message: 'no eyes' },
    { code: 'unsupported_capability', status: 400, param: 'messages', message: 'no eyes' },
  ],
];

describe.each(refusals)('an engine that %s', (_, failure, expected) => {
  test('is passed over for another node, which is no second run', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const client = harness.send({});
    harness.last.ack().end('failed', failure);
    harness.last.ack().begin().data().end();
    expect(harness.streams.map(({ node }) => node)).toEqual(['a', 'b']);
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: false, attempts: 2 }]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('is what the client is told of when no other node takes the request', () => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} } });
    const client = harness.send({});
    harness.last.ack().end('failed', failure);
    harness.last.ack().end('failed', failure);
    expect(client.error).toMatchObject(expected);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });
});
