import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { z } from 'zod';
import { eventually } from '../../../../test/support/clock/eventually.js';
import {
  account,
  inventory,
  nodeId,
  NodeRegistryHarness,
  otherAccount,
  status,
} from '../../../../test/support/relay/node-registry.harness.js';
import {
  SimulatedNodes,
  startPresence,
  type PresenceReplica,
} from '../../../../test/support/replicas/presence.harness.js';
import { createInstanceId, createReplicaId, type InstanceId, type ReplicaId } from '../../../kernel/ids.js';
import { LocalNetwork, LocalTransport } from '../bus/local-transport.js';
import { MessageBus } from '../bus/message-bus.js';
import { engineLoads, noLoads } from './engine-loads.js';
import { deltaTopic, heartbeatTopic, type Heartbeat } from './presence-messages.js';
import type { PresentNodes } from './presence.service.js';

const limits = {
  presenceHeartbeatIntervalMs: 100,
  presenceBatchIntervalMs: 20,
  presenceLoadIntervalMs: 60,
  presenceSilentAfterMs: 800,
  presenceForgetAfterMs: 2_400,
};

let network: LocalNetwork;
let running: PresenceReplica<PresentNodes>[];

const start = <Nodes extends PresentNodes>(nodes: Nodes, instanceId = createInstanceId()): PresenceReplica<Nodes> => {
  const transport = (id: ReplicaId): LocalTransport => new LocalTransport(id, network);
  const replica = startPresence(nodes, transport, limits, instanceId);
  running.push(replica);
  return replica;
};

beforeEach(() => {
  Logger.overrideLogger(false);
  network = new LocalNetwork();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((replica) => replica.stop()));
});

describe('presence with the registry of nodes', () => {
  it('tells other replicas of a node from its connection to its end', async () => {
    const harness = new NodeRegistryHarness();
    const here = start(harness.registry);
    const there = start(new SimulatedNodes());
    const seen = () => there.presence.table.find(account, nodeId);

    const { connection } = harness.connect('p');
    const [first] = await eventually('the node', () => seen().length > 0 && seen());
    expect(first).toMatchObject({
      replicaId: here.id,
      nodeId,
      accountId: account,
      clusterId: connection.clusterId,
      epoch: connection.epoch,
      availability: 'unavailable',
    });

    const engine = { name: 'e', slots_total: 2, slots_used: 0, queue_depth: 0 };
    connection.onStatus(status({ engines: [engine] }));
    await eventually('free', () => seen()[0]?.availability === 'free');
    connection.onStatus(status({ engines: [{ ...engine, slots_used: 2 }, engine] }));
    connection.onStatus(status({ engines: [{ ...engine, slots_used: 2 }] }));
    await eventually('full', () => seen()[0]?.availability === 'full');
    connection.onStatus(status({ engines: [engine], paused: true }));
    await eventually('paused', () => seen()[0]?.availability === 'unavailable');

    const revision = seen()[0]!.modelsRevision;
    connection.onInventory(inventory(1, 'a'));
    await eventually('models', () => seen()[0]!.modelsRevision !== revision);
    expect(there.presence.table.find(otherAccount, nodeId)).toEqual([]);

    harness.registry.revoke(account, nodeId);
    await eventually('gone', () => seen().length === 0);
  });

  it('tells at once that a node takes work, and that it does so no longer, each once in an interval', async () => {
    const harness = new NodeRegistryHarness();
    const here = startPresence(
      harness.registry,
      (id) => new LocalTransport(id, network),
      { ...limits, presenceBatchIntervalMs: 2_000, presenceLoadIntervalMs: 60_000 },
      createInstanceId(),
    );
    running.push(here);
    const there = start(new SimulatedNodes());
    const deltas: number[] = [];
    there.bus.subscribe(deltaTopic, () => {
      deltas.push(performance.now());
    });
    const engine = { name: 'e', slots_total: 2, slots_used: 0, queue_depth: 0 };
    const availability = () => there.presence.table.find(account, nodeId)[0]?.availability;

    const { connection } = harness.connect('p');
    const connectedAtMs = performance.now();
    connection.onInventory(inventory(1, 'a'));
    connection.onStatus(status({ engines: [engine] }));
    await eventually('free', () => availability() === 'free');
    expect(deltas[0]! - connectedAtMs).toBeLessThan(1_500);

    connection.onStatus(status({ engines: [engine], paused: true }));
    await eventually('paused', () => availability() === 'unavailable');
    expect(deltas[1]! - connectedAtMs).toBeLessThan(1_900);

    connection.onStatus(status({ engines: [engine] }));
    await eventually('free again', () => availability() === 'free');
    expect(deltas).toHaveLength(3);
    // A timer may end up to a millisecond early.
    expect(deltas[2]! - deltas[0]!).toBeGreaterThan(1_990);
  });

  it('lets others ask again when a node has another engine or number of slots, and not when these are only used', async () => {
    const harness = new NodeRegistryHarness();
    start(harness.registry);
    const there = start(new SimulatedNodes());
    const seen = () => there.presence.table.find(account, nodeId)[0];
    const engine = { name: 'e', slots_total: 2, slots_used: 0, queue_depth: 0 };
    const { connection } = harness.connect('p');
    connection.onInventory(inventory(1, 'a'));
    connection.onStatus(status({ engines: [engine] }));
    await eventually('free', () => seen()?.availability === 'free');

    const changed = async (what: string, engines: (typeof engine)[]): Promise<void> => {
      const before = seen()!.modelsRevision;
      connection.onStatus(status({ engines }));
      await eventually(what, () => seen()!.modelsRevision !== before);
    };
    await changed('more slots', [{ ...engine, slots_total: 4 }]);
    await changed('another engine', [
      { ...engine, slots_total: 4 },
      { ...engine, name: 'f' },
    ]);
    await changed('one less', [engine]);

    const before = seen()!.modelsRevision;
    connection.onStatus(status({ engines: [{ ...engine, slots_used: 2, queue_depth: 1 }] }));
    await eventually('full', () => seen()!.availability === 'full');
    expect(seen()!.modelsRevision).toBe(before);
  });

  it('tells how many requests the engines of a node queue, and how many they have for others', async () => {
    const harness = new NodeRegistryHarness();
    start(harness.registry);
    const there = start(new SimulatedNodes());
    const engine = { name: 'e', slots_total: 2, slots_used: 0, queue_depth: 3, foreign_requests: 5 };
    const loads = () => there.presence.table.find(account, nodeId)[0]?.loads;

    const { connection } = harness.connect('p');
    connection.onStatus(status({ engines: [engine] }));
    await eventually('the load', () => (loads()?.size ?? 0) > 0);
    expect(loads()).toEqual(engineLoads([engine]));
    connection.onStatus(status({ engines: [{ ...engine, queue_depth: 0, foreign_requests: 0 }] }));
    await eventually('idle', () => loads()?.size === 0);

    connection.onStatus(status({ engines: [engine] }));
    await eventually('the load again', () => (loads()?.size ?? 0) > 0);
    const later = start(new SimulatedNodes());
    await eventually('it is in the snapshot', () => later.presence.table.find(account, nodeId).length > 0);
    expect(later.presence.table.find(account, nodeId)[0]?.loads).toEqual(engineLoads([engine]));
  });

  it('tells a load at most once in its interval, however often nodes report one', async () => {
    const nodes = new SimulatedNodes();
    const here = start(nodes);
    const there = start(new SimulatedNodes());
    const ids = nodes.connect(10);
    const seen = () => there.presence.table.find(nodes.accountId, ids[9]!)[0]?.loads ?? noLoads;
    await eventually('the nodes', () => there.presence.table.find(nodes.accountId, ids[9]!).length > 0);
    const before = here.bus.counters.published;
    const beginMs = performance.now();
    for (let round = 1; round <= 60; round += 1) {
      for (const id of ids) nodes.report(id, 0, round % 2 === 0 ? 100 : 10);
      await delay(5);
    }
    await eventually('the last one', () => [...seen().values()][0]?.waiting === 100);
    const elapsedMs = performance.now() - beginMs;
    const heartbeats = elapsedMs / (limits.presenceHeartbeatIntervalMs * 0.8);
    const intervals = elapsedMs / limits.presenceLoadIntervalMs;
    expect(here.bus.counters.published - before).toBeLessThanOrEqual(heartbeats + intervals + 2);
  });

  it('understands a replica of the version before, which tells no load', async () => {
    const there = start(new SimulatedNodes());
    const old = new MessageBus(new LocalTransport(createReplicaId(), network), {
      ...{ busQueueMessages: 10, busConcurrentReplies: 1, busOutstandingRequests: 1 },
    });
    const heartbeat = { instance: createInstanceId(), sequence: 0, nodes: 0, digest: 0, state: 'serving' as const };
    old.publish(heartbeatTopic, heartbeat);
    const node = { n: 1, node: nodeId, account, cluster: 'cl_1', epoch: 1, availability: 'free', models: 1 };
    const delta = { sequence: 1, down: [], up: [node], free: [], full: [], unavailable: [], models: [] };
    old.publish({ name: 'presence.delta', payload: z.unknown() }, delta);
    const [found] = await eventually('the node', () => {
      const places = there.presence.table.find(account, nodeId);
      return places.length > 0 && places;
    });
    expect(found).toMatchObject({ availability: 'free', loads: noLoads });
    old.publish({ name: 'presence.delta', payload: z.unknown() }, { ...delta, sequence: 2, up: [], full: [1] });
    await eventually('full', () => there.presence.table.find(account, nodeId)[0]?.availability === 'full');
    expect(there.bus.counters.invalid).toBe(0);
    await old.close();
  });

  it('tells a replica that starts later of all nodes', async () => {
    const harness = new NodeRegistryHarness();
    harness.connect('p');
    const here = start(harness.registry);
    const there = start(new SimulatedNodes());
    await eventually('the node', () => there.presence.table.find(account, nodeId).length === 1);
    expect(there.presence.table.servingReplicas).toBe(1);
    expect(here.presence.table.servingReplicas).toBe(1);
  });
});

describe('a heartbeat with the data directory of this replica', () => {
  const warnings: string[] = [];
  const heartbeat = (instance: InstanceId): Heartbeat => ({
    instance,
    state: 'serving',
    sequence: 0,
    nodes: 0,
    digest: 0,
  });

  beforeEach(() => {
    warnings.length = 0;
    Logger.overrideLogger({
      log: () => undefined,
      error: () => undefined,
      warn: (text: string) => warnings.push(text),
    });
  });

  it('is reported as a copy when its sender runs, and not when late ones of an earlier process come at once', async () => {
    const instanceId = createInstanceId();
    const replica = start(new SimulatedNodes(), instanceId);
    const earlier = new MessageBus(new LocalTransport(createReplicaId(), network), {
      busQueueMessages: 1_000,
      busConcurrentReplies: 64,
      busOutstandingRequests: 256,
    });
    for (let late = 0; late < 5; late += 1) earlier.publish(heartbeatTopic, heartbeat(instanceId));
    await eventually('they have been heard', () => replica.bus.counters.received >= 5);
    expect(replica.bus.counters.invalid).toBe(0);
    expect(warnings).toEqual([]);
    const copy = start(new SimulatedNodes(), instanceId);
    await eventually('it is reported', () => warnings.length > 0);
    expect(warnings[0]).toBe('another relay runs on a copy of this data directory');
    expect([...replica.presence.table.replicas()].map(({ replicaId }) => replicaId)).toContain(copy.id);
    await earlier.close();
  });
});

describe('presence of three replicas', () => {
  const startThree = async () => {
    const replicas = [1, 2, 3].map(() => start(new SimulatedNodes()));
    for (const { nodes } of replicas) nodes.connect(1_200);
    await eventually('all know all', () => replicas.every((replica) => knows(replica, replicas)));
    return replicas;
  };
  /** All nodes of all other replicas, as they are there. */
  const knows = (
    { id, presence }: PresenceReplica<SimulatedNodes>,
    replicas: readonly PresenceReplica<SimulatedNodes>[],
  ): boolean =>
    replicas
      .filter((other) => other.id !== id)
      .every(({ nodes, id: otherId }) =>
        [...nodes.active()].every(({ nodeId: node, status: reported }) => {
          const [found] = presence.table.find(nodes.accountId, node);
          const used = reported?.engines[0]?.slots_used ?? 0;
          return found?.replicaId === otherId && found.availability === (used >= 4 ? 'full' : 'free');
        }),
      );

  it('agrees after any changes', async () => {
    const replicas = await startThree();
    for (let round = 0; round < 20; round += 1) {
      for (const { nodes } of replicas) {
        const ids = [...nodes.active()].map(({ nodeId: id }) => id);
        for (const id of ids.filter((_, at) => at % 7 === round % 7)) nodes.report(id, (round % 2) * 4);
        for (const id of ids.slice(0, 5)) nodes.disconnect(id);
        nodes.connect(5);
      }
      await delay(10);
    }
    await eventually('agreement', () => replicas.every((replica) => knows(replica, replicas)));
    const views = replicas.flatMap(({ presence }) => [...presence.table.replicas()]);
    for (const view of views) expect(view).toMatchObject({ complete: true, nodes: 1_200 });
    for (const { bus } of replicas) expect(bus.counters).toMatchObject({ invalid: 0, dropped: 0, failed: 0 });
  });

  it('loses the nodes of a replica that stops at once, and of one that dies after its silence', async () => {
    const [one, two, three] = await startThree();
    await two!.stop();
    await eventually('stopped', () => one!.presence.table.servingReplicas === 1, 200);
    await three!.stop(false);
    expect(one!.presence.table.servingReplicas).toBe(1);
    await eventually('silent', () => one!.presence.table.servingReplicas === 0);
    expect([...one!.presence.table.replicas()]).toHaveLength(1);
    await eventually('forgotten', () => [...one!.presence.table.replicas()].length === 0);
  });

  it('leaves out a replica that drains', async () => {
    const [one, two] = await startThree();
    two!.nodes.draining = true;
    await eventually('draining', () => one!.presence.table.servingReplicas === 1);
    const views = [...one!.presence.table.replicas()].filter(({ state }) => state === 'draining');
    expect(views.map(({ replicaId }) => replicaId)).toEqual([two!.id]);
  });

  it('drops the nodes of a killed replica when it is started again on its data directory', async () => {
    const instanceId = createInstanceId();
    const one = start(new SimulatedNodes());
    const killed = start(new SimulatedNodes(), instanceId);
    const [node] = killed.nodes.connect(1);
    await eventually('its node', () => one.presence.table.find(killed.nodes.accountId, node!).length === 1);
    await killed.stop(false);
    const again = start(new SimulatedNodes(), instanceId);
    await eventually('the new process', () =>
      [...one.presence.table.replicas()].some(({ replicaId }) => replicaId === again.id),
    );
    expect(one.presence.table.find(killed.nodes.accountId, node!)).toEqual([]);
  });
});
