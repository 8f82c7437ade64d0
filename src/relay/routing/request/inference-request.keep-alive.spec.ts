/** A node that keeps a stream alive while its engine is silent. */
import { describe, expect, it } from '@jest/globals';
import { alone, expectOutcome } from '../../../../test/support/relay/request-outcomes.js';
import { InferenceHarness } from '../../../../test/support/relay/inference.harness.js';

const streamOfResponses = { dialect: 'responses' } as const;

describe('keep-alive events of a node', () => {
  it('rule out a second run on another node', () => {
    expectOutcome(
      (harness) => {
        harness.last.ack().keepAlive().lose();
      },
      { outcome: 'failed', seen: ['data: created', 'error: node_disconnected'], tries: ['a'] },
    );
  });

  it('keep-alive events of a node keep the stream open for as long as the node sends them, and no longer', () => {
    expectOutcome(
      (harness) => {
        harness.last.ack().keepAlive();
        harness.clients[0]!.read();
        for (let minute = 0; minute < 10; minute += 1) {
          harness.pass(60_000);
          harness.last.data('x');
          harness.clients[0]!.read();
        }
        harness.pass(120_000);
      },
      {
        outcome: 'timed_out',
        seen: ['data: created', ...Array<string>(10).fill('data: x'), 'error: engine_timeout'],
        tries: ['a reset timed_out'],
      },
      alone,
    );
  });

  it('keep-alive events of a node are not the first event, whose time the node reports later', () => {
    const harness = new InferenceHarness();
    const client = harness.send();
    harness.last.ack();
    harness.pass(60_000);
    harness.last.keepAlive();
    harness.pass(60_000);
    harness.last.data().end('completed', null, 90_000);
    expect(client.reports).toMatchObject([{ outcome: 'completed', firstEventMs: 90_000 }]);
  });

  it('keep-alive events of a node do not clear a node whose engine is overdue', () => {
    const harness = new InferenceHarness({ stallAfterMs: 60_000 });
    harness.send();
    const { nodeId } = harness.clients[0]!.request.placement!.node;
    harness.pass(5_000);
    harness.last.ack();
    harness.pass(50_000);
    expect(harness.context.health.worstOf(nodeId).state).toBe('healthy');
    harness.clock.advance(10_000);
    harness.last.keepAlive();
    expect(harness.context.health.worstOf(nodeId)).toMatchObject({ state: 'suspect', reason: 'stalled' });
  });
});

describe('the time until the first output', () => {
  it('the time until the first output is sent only to a node with keep-alives for responses', () => {
    const harness = new InferenceHarness({ nodes: { a: { slots: 3, models: [{ dialects: ['chat', 'responses'] }] } } });
    harness.send({}, streamOfResponses, { stream: true });
    expect(harness.last.head.first_output_ms).toBe(900_000);
    harness.send({}, streamOfResponses, { stream: false });
    expect(harness.last.head.first_output_ms).toBeUndefined();
    harness.send();
    expect(harness.last.head.first_output_ms).toBeUndefined();
  });
});
