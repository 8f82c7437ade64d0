import { expect, test } from '@jest/globals';
import { headersForNode } from './inference-responder.service.js';

test('allowed headers alone reach a node, within their size limits', () => {
  expect(
    headersForNode({
      authorization: 'Bearer secret',
      cookie: 'session',
      host: 'relay',
      'x-forwarded-for': '10.0.0.1',
      'x-cluster-id': 'cl_1',
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'b'.repeat(2_001),
      'openai-beta': 'responses',
    }),
  ).toEqual({ 'anthropic-version': '2023-06-01', 'openai-beta': 'responses' });
});
