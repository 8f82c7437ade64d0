import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { eventually } from '../../../test/support/clock/eventually.js';
import {
  account,
  inventory,
  nodeId,
  NodeRegistryHarness,
  otherAccount,
  status,
} from '../../../test/support/relay/node-registry.harness.js';
import {
  SimulatedNodes,
  startPresence,
  type PresenceReplica,
} from '../../../test/support/replicas/presence.harness.js';
import { createInstanceId, type ReplicaId } from '../../kernel/ids.js';
import { LocalNetwork, LocalTransport } from '../replicas/bus/local-transport.js';
import type { PresentNodes } from './presence.service.js';

const limits = {
  presenceHeartbeatIntervalMs: 100,
  presenceBatchIntervalMs: 20,
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
