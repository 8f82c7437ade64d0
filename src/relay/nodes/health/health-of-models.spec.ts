import { describe, expect, test } from '@jest/globals';
import type { HarnessClient } from '../../../../test/support/relay/harness-client.js';
import {
  InferenceHarness,
  nothingLeft,
  type InferenceHarnessOptions,
} from '../../../../test/support/relay/inference.harness.js';
import type { NodeId } from '../../../kernel/ids.js';

const alone: InferenceHarnessOptions = { nodes: { a: {} } };

describe('health is kept per model', () => {
  const models = [
    { key: 'engine/tiny', display_name: 'tiny' },
    { key: 'engine/other', display_name: 'other' },
  ];
  const nodes = { a: { slots: 8, models }, b: { slots: 8, models } };
  const sendTo = (harness: InferenceHarness, model: string): HarnessClient => harness.send({ model }, { model });
  const failing = (harness: InferenceHarness, model: string): void => {
    for (let failure = 0; failure < 3; failure += 1) {
      sendTo(harness, model);
      harness.last.ack().begin().end('failed', { code: 'engine_error' });
      harness.clock.advance(1);
    }
  };
  const stateAt = (harness: InferenceHarness, name: string, key: string): string =>
    harness.context.health.stateOf(`nd_${name}` as NodeId, key);

  test('failing streams of one do not affect the other', () => {
    const harness = new InferenceHarness({ nodes });
    failing(harness, 'tiny');
    expect([stateAt(harness, 'a', 'engine/tiny'), stateAt(harness, 'a', 'engine/other')]).toEqual([
      'suspect',
      'healthy',
    ]);
    expect(harness.healthOf('a')).toMatchObject({ state: 'suspect', reason: 'failures' });
    sendTo(harness, 'other');
    expect(harness.last.node).toBe('a');
    sendTo(harness, 'tiny');
    expect(harness.last.node).toBe('b');
  });

  test('completed requests of the other do not restore it', () => {
    const harness = new InferenceHarness({ nodes });
    failing(harness, 'tiny');
    harness.clock.advance(1);
    sendTo(harness, 'other');
    harness.completeLast();
    expect(stateAt(harness, 'a', 'engine/tiny')).toBe('suspect');
  });

  test('except for faults of the node: loss, or not accepting requests', () => {
    for (const fault of [
      (harness: InferenceHarness) => harness.last.ack().begin().lose(),
      (harness: InferenceHarness) => harness.last.ack().begin().lose('window_overrun'),
      (harness: InferenceHarness) => harness.pass(10_000),
    ]) {
      const harness = new InferenceHarness({ nodes: { a: nodes.a }, health: { healthFailureThreshold: 1 } });
      sendTo(harness, 'tiny');
      fault(harness);
      expect([stateAt(harness, 'a', 'engine/tiny'), stateAt(harness, 'a', 'engine/other')]).toEqual([
        'suspect',
        'suspect',
      ]);
    }
  });

  test('for a bounded number of models', () => {
    const harness = new InferenceHarness({ nodes });
    const report = (key: string) => ({ ...[...harness.fleet.nodes[0]!.models.values()][0]!, key });
    for (let model = 0; model < 200; model += 1) {
      harness.context.health.stalled(
        { node: harness.fleet.nodes[0]!, report: report(`engine/${model}`) },
        harness.clock.nowMs,
        {},
      );
    }
    expect(harness.context.health.suspicions).toBe(64);
    expect(harness.wheel.size).toBe(64);
  });
});

describe('recovery without traffic', () => {
  const suspect = (options: InferenceHarnessOptions = {}): InferenceHarness => {
    const harness = new InferenceHarness({ nodes: { a: {}, b: {} }, ...options });
    harness.makeSuspect();
    expect(harness.stateOf('a')).toBe('suspect');
    return harness;
  };

  test('a new link clears node and models, and queued requests are served', () => {
    const harness = suspect();
    harness.send();
    harness.send();
    expect(harness.context.queue.size).toBe(1);
    harness.context.health.stopUnconfirmed(harness.fleet.nodes[0]!);
    harness.context.health.renewed('nd_a' as NodeId);
    expect(harness.stateOf('a')).toBe('healthy');
    expect([harness.last.node, harness.context.queue.size, harness.context.health.size]).toEqual(['a', 0, 0]);
  });

  test('a report without the model clears it', () => {
    const harness = suspect();
    const [node] = harness.fleet.nodes;
    harness.context.health.reported(node!);
    expect(harness.stateOf('a')).toBe('suspect');
    harness.context.health.reported({ nodeId: node!.nodeId, models: new Map() });
    expect([harness.stateOf('a'), harness.context.health.size]).toEqual(['healthy', 0]);
    expect(harness.leftovers()).toEqual(nothingLeft);
  });

  test('suspicion expires, and then one failure restores it', () => {
    const harness = suspect();
    harness.pass(5_000);
    expect(harness.stateOf('a')).toBe('probing');
    harness.pass(61_000);
    expect(harness.stateOf('a')).toBe('healthy');
    harness.failOne();
    expect(harness.stateOf('a')).toBe('suspect');
    harness.pass(70_000);
    expect([harness.wheel.size, harness.context.health.suspicions]).toEqual([0, 0]);
  });

  test('suspicion does not expire while the stalled request still waits', () => {
    const harness = new InferenceHarness({ ...alone, stallAfterMs: 60_000 });
    const client = harness.send();
    harness.last.ack();
    harness.pass(300_000);
    expect(harness.stateOf('a')).toBe('probing');
    client.leave();
    harness.pass(61_000);
    expect([harness.stateOf('a'), harness.context.health.size]).toEqual(['healthy', 0]);
  });
});
