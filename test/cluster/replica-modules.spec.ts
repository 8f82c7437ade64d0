/** The modules of several replicas in one installation, over a real `nats-server`. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ChangeNotices, type ChangeNotice } from '../../src/relay/platform/changes/change-notices.js';
import { PresenceService } from '../../src/relay/replicas/presence/presence.service.js';
import { MessageBus } from '../../src/relay/replicas/bus/message-bus.js';
import { eventually } from '../support/clock/eventually.js';
import { NatsServer } from '../support/replicas/nats-server.js';
import { ReplicaApplication } from '../support/replicas/replica-application.js';

describe('the modules of replicas', () => {
  let server: NatsServer;
  let replicas: ReplicaApplication[];
  beforeAll(async () => {
    Logger.overrideLogger(false);
    server = await NatsServer.start();
  });
  afterAll(() => server.kill());
  beforeEach(async () => {
    replicas = await Promise.all([1, 2].map(() => ReplicaApplication.start({ NATS_URL: server.address })));
    await eventually('connected', () => buses().every(({ status }) => status === 'connected'));
  });
  afterEach(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
  });
  const buses = (): MessageBus[] => replicas.map(({ application }) => application.get(MessageBus));
  const serving = (at: number): number => replicas[at]!.application.get(PresenceService).table.servingReplicas;

  it('know the nodes of each other, and that one has stopped', async () => {
    const [one, two] = replicas;
    const [node] = one!.nodes.connect(1);
    const { table } = two!.application.get(PresenceService);
    await eventually('the node', () => table.find(one!.nodes.accountId, node!).length === 1);
    await eventually('both', () => serving(0) === 1 && serving(1) === 1);
    await replicas.shift()!.stop();
    await eventually('stopped', () => serving(0) === 0, 1_000);
    expect(table.find(one!.nodes.accountId, node!)).toEqual([]);
  });

  it('the modules of replicas pass on notices of changes, and read everything after the bus was down', async () => {
    const [one, two] = replicas.map(({ application }) => application.get(ChangeNotices));
    const received: ChangeNotice[] = [];
    two!.received$.subscribe((notice) => received.push(notice));
    await eventually('a notice', () => {
      one!.send('operations');
      return received.length > 0;
    });
    expect(new Set(received)).toEqual(new Set(['operations']));
    await server.kill();
    await eventually('disconnected', () => buses().every(({ status }) => status === 'disconnected'));
    one!.send('audit');
    await server.restart();
    await eventually('both kinds', () => received.includes('audit'));
  });
});
