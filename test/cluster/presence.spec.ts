/** What three replicas know of each other's nodes, over a real `nats-server`. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { NodeId, ReplicaId } from '../../src/kernel/ids.js';
import { NatsTransport } from '../../src/relay/replicas/bus/nats-transport.js';
import { eventually } from '../support/clock/eventually.js';
import { NatsServer } from '../support/replicas/nats-server.js';
import { SimulatedNodes, startPresence, type PresenceReplica } from '../support/replicas/presence.harness.js';

const REPLICAS = 3;
const NODES = 1_000;
type Replica = PresenceReplica<SimulatedNodes>;

const knows = ({ presence }: Replica, { nodes, id }: Replica): boolean => {
  const found = [...presence.table.nodesIn(nodes.accountId)];
  const view = [...presence.table.replicas()].find(({ replicaId }) => replicaId === id);
  return view?.complete === true && found.length === [...nodes.active()].length;
};
const agree = (replicas: readonly Replica[]): boolean =>
  replicas.every((one) => replicas.every((other) => one === other || knows(one, other)));

describe('presence over NATS', () => {
  let server: NatsServer;
  let replicas: Replica[];
  let ids: NodeId[][];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    server = await NatsServer.start();
    replicas = Array.from({ length: REPLICAS }, () =>
      startPresence(
        new SimulatedNodes(),
        (replicaId: ReplicaId) =>
          new NatsTransport({
            replicaId,
            address: server.address,
            purpose: 'test',
            subjectPrefix: 'ferry',
            pingIntervalMs: 3_000,
            connectTimeoutMs: 2_000,
            pendingLimitBytes: 8_388_608,
          }),
      ),
    );
    ids = replicas.map(({ nodes }) => nodes.connect(NODES));
    await eventually('all know all', () => agree(replicas));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await server.kill();
  });

  it('keeps what it knows while the bus is down, and agrees within 5 s after it is back', async () => {
    await server.kill();
    await eventually('disconnected', () => replicas.every(({ bus }) => bus.status === 'disconnected'));
    for (const [at, { nodes }] of replicas.entries()) {
      for (const id of ids[at]!.slice(0, 10)) nodes.disconnect(id);
      nodes.connect(20);
    }
    await delay(2_000);
    for (const { presence } of replicas) expect(presence.table.servingReplicas).toBe(REPLICAS - 1);
    await server.restart();
    await eventually('agreement', () => agree(replicas), 5_000);
  });

  it('finds a replica again whose messages the server has dropped', async () => {
    const [one, two] = replicas;
    // The server is silent for two intervals of pings, and the messages of that time are lost with the connections.
    server.freeze();
    const gone = ids[0]!.slice(0, 50);
    for (const id of gone) one!.nodes.disconnect(id);
    await eventually('disconnected', () => replicas.every(({ bus }) => bus.status === 'disconnected'), 10_000);
    server.resume();
    await eventually('agreement', () => agree(replicas), 10_000);
    expect([...two!.presence.table.nodesIn(one!.nodes.accountId)]).toHaveLength(NODES - gone.length);
  }, 40_000);

  it('tells the load of engines within two seconds, and again when the bus is back', async () => {
    const known = (at: number): (number | undefined)[] =>
      replicas
        .filter((_, other) => other !== at)
        .map(({ presence }) => {
          const [place] = presence.table.find(replicas[at]!.nodes.accountId, ids[at]![0]!);
          return [...(place?.loads.values() ?? [])][0]?.waiting;
        });
    const report = (waiting: number): void => {
      for (const [at, { nodes }] of replicas.entries()) nodes.report(ids[at]![0]!, 0, waiting, 0);
    };
    const sent = (waiting: number): boolean => replicas.every((_, at) => known(at).every((one) => one === waiting));
    report(7);
    await eventually('7 wait', () => sent(7), 2_000);
    await server.kill();
    await eventually('disconnected', () => replicas.every(({ bus }) => bus.status === 'disconnected'));
    report(11);
    await server.restart();
    await eventually('11 wait', () => sent(11), 5_000);
  });

  it('costs at most 2 % of a core per replica while 20 % of the nodes become full or free and half of the loads change in each second', async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    const program = path.join(import.meta.dirname, '../support/replicas/presence-cost.program.ts');
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', program, server.address]);
    const { share, messagesPerSecond } = JSON.parse(stdout) as Record<'share' | 'messagesPerSecond', number>;
    process.stdout.write(`presence takes ${(share * 100).toFixed(2)} % of a core per replica\n`);
    // Changes are batched: five messages a second, one with loads, and a heartbeat.
    expect(messagesPerSecond).toBeGreaterThan(3);
    expect(messagesPerSecond).toBeLessThan(7);
    expect(share).toBeGreaterThan(0);
    expect(share).toBeLessThan(0.02);
  }, 120_000);
});
