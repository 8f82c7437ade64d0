import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { account } from '../../../../test/support/relay/routing-fleet.js';
import { createReplicaId, type NodeId } from '../../../kernel/ids.js';
import { NodeHealth } from '../../nodes/health/node-health.js';
import { TimerWheel } from '../../platform/timing/timer-wheel.js';
import { LocalNetwork, LocalTransport } from '../bus/local-transport.js';
import { MessageBus } from '../bus/message-bus.js';
import { shareHealth } from './shared-health.js';

const limits = { healthFailureThreshold: 3, healthProbeAfterMs: 15_000, healthProbeMaxMs: 300_000 };
const busLimits = { busQueueMessages: 100, busConcurrentReplies: 4, busOutstandingRequests: 50 };
const nodeId = 'nd_one' as NodeId;
const target = { node: { nodeId, accountId: account }, report: { key: 'engine/tiny' } };

let clock: ManualClock;
let replicas: { health: NodeHealth; bus: MessageBus; end: () => void }[];

beforeEach(() => {
  clock = new ManualClock();
  const network = new LocalNetwork();
  replicas = Array.from({ length: 2 }, () => {
    const bus = new MessageBus(new LocalTransport(createReplicaId(), network), busLimits);
    const health = new NodeHealth({ clock, timers: new TimerWheel({ clock }), limits });
    return { health, bus, end: shareHealth(bus, health, clock) };
  });
});
afterEach(async () => {
  for (const { end } of replicas) end();
  await Promise.all(replicas.map(({ bus }) => bus.close()));
});

const states = (): string[] => replicas.map(({ health }) => health.stateOf(nodeId, 'engine/tiny'));
const request = (at: number, verdict: 'good' | 'model_failed' | 'node_failed'): void => {
  const startedAtMs = clock.monotonicMs();
  clock.advance(10);
  replicas[at]!.health.over(target, {}, startedAtMs, verdict);
  clock.advance(10);
};
const both = (what: string, state: string): Promise<unknown> =>
  eventually(what, () => states().every((known) => known === state));
const known = (): Promise<unknown> => eventually('both know', () => replicas.every(({ health }) => health.size === 1));

it.each(['model_failed', 'node_failed'] as const)(
  'failures (%s) count together, whichever replica has seen them, and so does a success',
  async (verdict) => {
    request(0, verdict);
    await known();
    request(1, verdict);
    expect(states()).toContain('healthy');
    request(0, verdict);
    await both('both avoid it', 'suspect');

    request(1, 'good');
    await both('both use it again', 'healthy');
    expect(replicas.map(({ health }) => health.size)).toEqual([0, 0]);
  },
);

it('what begins before a failure and fails after it is the same incident, at another replica, too', async () => {
  const startedAtMs = clock.monotonicMs();
  request(0, 'node_failed');
  await known();
  for (const at of [1, 0, 1, 0]) {
    replicas[at]!.health.over(target, {}, startedAtMs, 'node_failed');
    clock.advance(1);
  }
  await new Promise(setImmediate);
  expect(states()).toEqual(['healthy', 'healthy']);
});

it('tells of no more than fifty failures in a second, and of no success where nothing has failed', async () => {
  const told: string[] = [];
  replicas[1]!.health.judge = ({ verdict }) => {
    told.push(verdict);
  };
  request(0, 'good');
  for (let failure = 0; failure < 60; failure += 1)
    replicas[0]!.health.over(target, {}, clock.monotonicMs(), 'model_failed');
  await eventually('fifty are told', () => told.length === 50);
  clock.advance(1_000);
  request(0, 'model_failed');
  await eventually('another one', () => told.length === 51);
  expect(told).not.toContain('good');
});
