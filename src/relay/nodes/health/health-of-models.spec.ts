import { describe, expect, test } from '@jest/globals';
import { Lab, nothingLeft, type LabClient, type LabOptions } from '../../../../test/support/relay/inference.harness.js';
import { last } from '../../../../test/support/relay/request-outcomes.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { Health } from './health-view.js';

const healthOf = (lab: Lab, name: string): Health => lab.context.health.worstOf(`nd_${name}` as NodeId);
const stateOf = (lab: Lab, name: string): string => healthOf(lab, name).state;
const alone: LabOptions = { nodes: { a: {} } };

const complete = (lab: Lab): void => {
  last(lab).ack().begin().data().end();
};
/** One request that the engine fails. */
const fails = (lab: Lab): LabClient => {
  const client = lab.send();
  last(lab).ack().end('failed', { code: 'engine_error' });
  lab.clock.advance(1);
  return client;
};
const makeSuspect = (lab: Lab): void => {
  for (let failure = 0; failure < 3; failure += 1) fails(lab);
};

describe('health is kept per model', () => {
  const models = [
    { key: 'engine/tiny', display_name: 'tiny' },
    { key: 'engine/other', display_name: 'other' },
  ];
  const nodes = { a: { slots: 8, models }, b: { slots: 8, models } };
  const sendTo = (lab: Lab, model: string): LabClient => lab.send({ model }, { model });
  const failing = (lab: Lab, model: string): void => {
    for (let failure = 0; failure < 3; failure += 1) {
      sendTo(lab, model);
      last(lab).ack().begin().end('failed', { code: 'engine_error' });
      lab.clock.advance(1);
    }
  };
  const stateAt = (lab: Lab, name: string, key: string): string =>
    lab.context.health.stateOf(`nd_${name}` as NodeId, key);

  test('one whose streams fail leaves the other alone', () => {
    const lab = new Lab({ nodes });
    failing(lab, 'tiny');
    expect([stateAt(lab, 'a', 'engine/tiny'), stateAt(lab, 'a', 'engine/other')]).toEqual(['suspect', 'healthy']);
    expect(healthOf(lab, 'a')).toMatchObject({ state: 'suspect', reason: 'failures' });
    sendTo(lab, 'other');
    expect(last(lab).node).toBe('a');
    sendTo(lab, 'tiny');
    expect(last(lab).node).toBe('b');
  });

  test('and what the other one completes proves nothing about it', () => {
    const lab = new Lab({ nodes });
    failing(lab, 'tiny');
    lab.clock.advance(1);
    sendTo(lab, 'other');
    complete(lab);
    expect(stateAt(lab, 'a', 'engine/tiny')).toBe('suspect');
  });

  test('unless the node itself is at fault: it is lost, or does not take requests', () => {
    for (const fault of [
      (lab: Lab) => last(lab).ack().begin().lose(),
      (lab: Lab) => last(lab).ack().begin().lose('window_overrun'),
      (lab: Lab) => lab.pass(10_000),
    ]) {
      const lab = new Lab({ nodes: { a: nodes.a }, health: { healthFailureThreshold: 1 } });
      sendTo(lab, 'tiny');
      fault(lab);
      expect([stateAt(lab, 'a', 'engine/tiny'), stateAt(lab, 'a', 'engine/other')]).toEqual(['suspect', 'suspect']);
    }
  });

  test('for a bounded number of models', () => {
    const lab = new Lab({ nodes });
    const report = (key: string) => ({ ...[...lab.fleet.nodes[0]!.models.values()][0]!, key });
    for (let model = 0; model < 200; model += 1) {
      lab.context.health.stalled({ node: lab.fleet.nodes[0]!, report: report(`engine/${model}`) }, lab.clock.nowMs, {});
    }
    expect(lab.context.health.suspicions).toBe(64);
    expect(lab.wheel.size).toBe(64);
  });
});

describe('without any traffic, suspicion ends', () => {
  const suspect = (options: LabOptions = {}): Lab => {
    const lab = new Lab({ nodes: { a: {}, b: {} }, ...options });
    makeSuspect(lab);
    expect(stateOf(lab, 'a')).toBe('suspect');
    return lab;
  };

  test('with a new link, for node and models, and who waits is served', () => {
    const lab = suspect();
    lab.send();
    lab.send();
    expect(lab.context.queue.size).toBe(1);
    lab.context.health.stopUnconfirmed(lab.fleet.nodes[0]!);
    lab.context.health.renewed('nd_a' as NodeId);
    expect(stateOf(lab, 'a')).toBe('healthy');
    expect([last(lab).node, lab.context.queue.size, lab.context.health.size]).toEqual(['a', 0, 0]);
  });

  test('with a report in which the model is gone: what comes back is another run of its engine', () => {
    const lab = suspect();
    const [node] = lab.fleet.nodes;
    lab.context.health.reported(node!);
    expect(stateOf(lab, 'a')).toBe('suspect');
    lab.context.health.reported({ nodeId: node!.nodeId, models: new Map() });
    expect([stateOf(lab, 'a'), lab.context.health.size]).toEqual(['healthy', 0]);
    expect(lab.leftovers()).toEqual(nothingLeft);
  });

  test('with time, and one more failure is enough then', () => {
    const lab = suspect();
    lab.pass(5_000);
    expect(stateOf(lab, 'a')).toBe('probing');
    lab.pass(61_000);
    expect(stateOf(lab, 'a')).toBe('healthy');
    fails(lab);
    expect(stateOf(lab, 'a')).toBe('suspect');
    lab.pass(70_000);
    expect([lab.wheel.size, lab.context.health.suspicions]).toEqual([0, 0]);
  });

  test('but not with time alone while the request that was missed still waits', () => {
    const lab = new Lab({ ...alone, stallAfterMs: 60_000 });
    const client = lab.send();
    last(lab).ack();
    lab.pass(300_000);
    expect(stateOf(lab, 'a')).toBe('probing');
    client.leave();
    lab.pass(61_000);
    expect([stateOf(lab, 'a'), lab.context.health.size]).toEqual(['healthy', 0]);
  });
});
