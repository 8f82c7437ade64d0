/** A node that keeps a stream alive while its engine is silent. */
import { describe, expect, it } from '@jest/globals';
import { alone, expectOutcome, last } from '../../../../test/support/relay/request-outcomes.js';
import { Lab } from '../../../../test/support/relay/inference.harness.js';

const streamOfResponses = { dialect: 'responses' } as const;

describe('keep-alive events of a node', () => {
  it('rule out a second run on another node', () => {
    expectOutcome(
      (lab) => {
        last(lab).ack().keepAlive().lose();
      },
      { outcome: 'failed', seen: ['data: created', 'error: node_disconnected'], tries: ['a'] },
    );
  });

  it('keep the stream open for as long as the node sends them, and no longer', () => {
    expectOutcome(
      (lab) => {
        last(lab).ack().keepAlive();
        lab.clients[0]!.request.taken(7);
        for (let minute = 0; minute < 10; minute += 1) {
          lab.pass(60_000);
          last(lab).data('x');
          lab.clients[0]!.request.taken(1);
        }
        lab.pass(120_000);
      },
      {
        outcome: 'timed_out',
        seen: ['data: created', ...Array<string>(10).fill('data: x'), 'error: engine_timeout'],
        tries: ['a reset timed_out'],
      },
      alone,
    );
  });

  it('are not the first event of the answer: the node tells afterwards when that was', () => {
    const lab = new Lab();
    const client = lab.send();
    last(lab).ack();
    lab.pass(60_000);
    last(lab).keepAlive();
    lab.pass(60_000);
    last(lab).data().end('completed', null, 90_000);
    expect(client.reports).toMatchObject([{ outcome: 'completed', firstEventMs: 90_000 }]);
  });

  it('leave a node suspect whose engine should have begun long ago', () => {
    const lab = new Lab({ stallAfterMs: 60_000 });
    lab.send();
    const { nodeId } = lab.clients[0]!.request.placement!.node;
    lab.pass(5_000);
    last(lab).ack();
    lab.pass(50_000);
    expect(lab.context.health.worstOf(nodeId).state).toBe('healthy');
    lab.clock.advance(10_000);
    last(lab).keepAlive();
    expect(lab.context.health.worstOf(nodeId)).toMatchObject({ state: 'suspect', reason: 'stalled' });
  });
});

describe('the time until the first output', () => {
  it('is told to a node that keeps a stream of responses alive, and to no other', () => {
    const lab = new Lab({ nodes: { a: { slots: 3, models: [{ dialects: ['chat', 'responses'] }] } } });
    lab.send({}, streamOfResponses, { stream: true });
    expect(last(lab).head.first_output_ms).toBe(900_000);
    lab.send({}, streamOfResponses, { stream: false });
    expect(last(lab).head.first_output_ms).toBeUndefined();
    lab.send();
    expect(last(lab).head.first_output_ms).toBeUndefined();
  });
});
