import { describe, expect, test } from '@jest/globals';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import { InferenceHarness, nothingLeft } from '../../../../test/support/relay/inference.harness.js';
import type { NodeTraits } from '../../../../test/support/relay/routing-fleet.js';

const withContext = (context_length: number | null): NodeTraits => ({ models: [{ context_length }] });
const tooLong = (prompt_tokens: number | null, context_tokens: number | null) =>
  ({
    code: 'engine_rejected_request',
    status: 400,
    context_overflow: { prompt_tokens, max_tokens: null, context_tokens },
  }) as const;
const asked = (harness: InferenceHarness): readonly string[] => harness.streams.map(({ node }) => node);
const over = (harness: InferenceHarness, client: HarnessClient): void => {
  expect(client.reports).toHaveLength(1);
  expect(harness.leftovers()).toEqual(nothingLeft);
};

describe('a request refused as too long', () => {
  test('goes to a node with a larger context, which is no second run', () => {
    const harness = new InferenceHarness({
      nodes: { a: withContext(4_096), b: withContext(8_192), c: withContext(32_768) },
    });
    const client = harness.send({});
    harness.last.ack().end('failed', tooLong(20_551, 4_096));
    harness.last.ack().begin().data().end();
    expect(asked(harness)).toEqual(['a', 'c']);
    expect(client.seen).toEqual(['data: x', 'complete']);
    expect(client.reports).toMatchObject([{ outcome: 'completed', retried: false, attempts: 2 }]);
    over(harness, client);
  });

  test('goes to a node with an unknown context', () => {
    const harness = new InferenceHarness({ nodes: { a: withContext(4_096), b: withContext(null) } });
    const client = harness.send({});
    harness.last.ack().end('failed', tooLong(null, 4_096));
    harness.last.ack().begin().data().end();
    expect(asked(harness)).toEqual(['a', 'b']);
    over(harness, client);
  });

  test('a request refused as too long is refused with the largest context when no node has room', () => {
    const harness = new InferenceHarness({ nodes: { a: withContext(4_096), b: withContext(8_192) } });
    const client = harness.send({});
    harness.last.ack().end('failed', tooLong(20_551, 4_096));
    expect(asked(harness)).toEqual(['a']);
    expect(client.error).toMatchObject({
      code: 'context_length_exceeded',
      status: 400,
      param: 'messages',
      shouldRetry: false,
      message:
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 20551 tokens. " +
        'Please reduce the length of the messages.',
    });
    over(harness, client);
  });

  test('waits for a busy node with room', () => {
    const harness = new InferenceHarness({ nodes: { a: withContext(4_096), b: { ...withContext(32_768), slots: 1 } } });
    const first = harness.send({});
    harness.last.ack().end('failed', tooLong(20_551, 4_096));
    const second = harness.send({});
    harness.last.ack().end('failed', tooLong(20_551, 4_096));
    expect(asked(harness)).toEqual(['a', 'b', 'a']);
    harness.streams[1]?.ack().begin().data().end();
    harness.last.ack().begin().data().end();
    expect(asked(harness)).toEqual(['a', 'b', 'a', 'b']);
    over(harness, first);
    expect(second.seen).toEqual(['data: x', 'complete']);
  });

  test('a request refused as too long does not count against the node', () => {
    const harness = new InferenceHarness({ nodes: { a: withContext(4_096) }, health: { healthFailureThreshold: 1 } });
    for (let round = 0; round < 3; round += 1) {
      const client = harness.send({});
      harness.last.ack().end('failed', tooLong(20_551, 4_096));
      expect(client.seen).toEqual(['error: context_length_exceeded']);
    }
    expect(asked(harness)).toEqual(['a', 'a', 'a']);
  });

  test('a request refused as too long is reported within an answer that has begun', () => {
    const harness = new InferenceHarness({ nodes: { a: withContext(4_096), b: withContext(32_768) } });
    const client = harness.send({});
    harness.last.ack().begin().data().end('failed', tooLong(4_097, 4_096));
    expect(asked(harness)).toEqual(['a']);
    expect(client.seen).toEqual(['data: x', 'error: context_length_exceeded']);
    over(harness, client);
  });
});
