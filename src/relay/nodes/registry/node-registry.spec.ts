import { beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { createClusterId, createNodeId, type AccountId, type NodeId } from '../../../kernel/ids.js';
import type { HelloMessage, InventoryMessage, OpenMessage, StatusMessage } from '../../../link/messages.js';
import type { CheckedResponse } from './checked-response.js';
import { FakeLinkSession } from '../../../../test/support/link/fake-link-session.js';
import { modelReport } from '../../../../test/support/link/model-report.js';
import { NodeConnection } from './node-connection.js';
import { NodeRegistry } from './node-registry.js';
import type { OperationReports } from './operation-reports.js';

Logger.overrideLogger(false);

const account = 'acc_1' as AccountId;
const stranger = 'acc_2' as AccountId;
const nodeId = createNodeId();
let clock: ManualClock;
const hello = (process_id: string, extra: Partial<HelloMessage> = {}): HelloMessage => ({
  protocol_versions: [1],
  agent_version: '0.1.0',
  process_id,
  node_name: 'laptop',
  platform: 'linux-x64',
  engines: [],
  features: [],
  ...extra,
});
const inventory = (version: number, ...keys: string[]): InventoryMessage => ({
  version,
  full: true,
  more: false,
  removed: [],
  models: keys.map((key) => modelReport(key, { key })),
});
const status = (extra: Partial<StatusMessage> = {}): StatusMessage => ({
  engines: [],
  paused: false,
  draining: false,
  memory_free_bytes: null,
  ...extra,
});

let registry: NodeRegistry;
let changes: string[];
let epoch = 0;

beforeEach(() => {
  clock = new ManualClock();
  registry = new NodeRegistry(clock);
  changes = [];
  registry.changes$.subscribe(({ kind }) => changes.push(kind));
});

interface Dialled {
  readonly connection: NodeConnection;
  readonly session: FakeLinkSession;
}

function dial(options: { accountId?: AccountId; id?: NodeId; modelLimit?: number } = {}): Dialled {
  let session: FakeLinkSession | undefined;
  const connection = new NodeConnection({
    identity: {
      accountId: options.accountId ?? account,
      nodeId: options.id ?? nodeId,
      clusterId: createClusterId(),
      name: 'laptop',
      paused: false,
      epoch: (epoch += 1),
    },
    transport: {
      send: () => undefined,
      ping: () => undefined,
      close: () => undefined,
      terminate: () => undefined,
      get bufferedBytes() {
        return session?.bufferedBytes ?? 0;
      },
    },
    host: registry,
    clock,
    relayVersion: '0.1.0',
    limits: { max_streams: 8, to_node_window_bytes: 1, to_relay_window_bytes: 1, max_outstanding_bytes: 1 },
    modelLimit: options.modelLimit ?? 10,
    congestedBytes: 1_000,
    createSession: (handlers) => (session = new FakeLinkSession(handlers)),
  });
  registry.add(connection);
  if (session === undefined) throw new Error('no session');
  return { connection, session };
}

function connect(processId: string, options: Parameters<typeof dial>[0] = {}): Dialled {
  const dialled = dial(options);
  dialled.connection.onHello(hello(processId));
  return dialled;
}

const online = (accountId = account): NodeId[] => [...registry.onlineIn(accountId)].map((node) => node.nodeId);

describe('NodeRegistry', () => {
  it('has a node online from its HELLO on, in its own account only', () => {
    const { connection } = dial();
    expect(online()).toEqual([]);
    connection.onHello(hello('p'));
    expect(online()).toEqual([nodeId]);
    expect(online(stranger)).toEqual([]);
    expect(registry.find(stranger, nodeId)).toBeUndefined();
    expect(changes).toEqual(['connected']);
  });

  it('answers HELLO with the limits that hold', () => {
    const { session, connection } = connect('p');
    expect(session.readyWith).toEqual({
      protocol_version: 1,
      relay_version: '0.1.0',
      epoch: connection.epoch,
      relay_time_ms: clock.wallMs(),
      limits: { max_streams: 8, to_node_window_bytes: 1, to_relay_window_bytes: 1, max_outstanding_bytes: 1 },
      features: ['operations', 'cancel-confirmation'],
    });
  });

  it('does not admit a node that speaks other versions only', () => {
    const { connection, session } = dial();
    connection.onHello(hello('p', { protocol_versions: [2, 3] }));
    expect(session.told).toEqual(['close 4426 link version 1 is needed']);
    expect(online()).toEqual([]);
  });

  it('removes a node whose link has ended', () => {
    const { connection } = connect('p');
    connection.onClosed('peer_closed', '');
    expect(online()).toEqual([]);
    expect(changes).toEqual(['connected', 'disconnected']);
  });

  it('emits and exposes inventory and status', () => {
    const { connection } = connect('p');
    connection.onInventory(inventory(1, 'a'));
    connection.onStatus(status({ memory_free_bytes: 5 }));
    expect(changes).toEqual(['connected', 'inventory', 'status']);
    const node = registry.find(account, nodeId);
    expect([...(node?.models.keys() ?? [])]).toEqual(['a']);
    expect(node).toMatchObject({
      name: 'laptop',
      roundTripMs: 12,
      status: { memory_free_bytes: 5 },
      acceptsWork: true,
    });
  });

  it.each([
    ['is paused', ({ connection }: Dialled) => connection.onStatus(status({ paused: true }))],
    ['drains', ({ connection }: Dialled) => connection.onStatus(status({ draining: true }))],
    [
      'said GOAWAY',
      ({ connection, session }: Dialled) => {
        session.goAway({ reason: 'draining' });
        connection.onGoAway();
      },
    ],
    [
      'is slower than what it is sent',
      ({ connection, session }: Dialled) => {
        session.bufferedBytes = 1_001;
        connection.tick();
      },
    ],
  ])('offers no work to a node that %s, and emits the change', (_name, change) => {
    const dialled = connect('p');
    change(dialled);
    expect(registry.find(account, nodeId)?.acceptsWork).toBe(false);
    expect(changes).toEqual(['connected', 'status']);
  });

  it('offers no work to a node with a send backlog until it has caught up', () => {
    const { connection, session } = connect('p');
    session.bufferedBytes = 1_001;
    expect(connection.acceptsWork).toBe(false);
    session.bufferedBytes = 1_000;
    expect(connection.acceptsWork).toBe(true);
  });

  it('emits when a node has caught up', () => {
    const { connection, session } = connect('p');
    session.bufferedBytes = 1_001;
    connection.tick();
    session.bufferedBytes = 0;
    connection.tick();
    connection.tick();
    expect(connection.acceptsWork).toBe(true);
    expect(changes).toEqual(['connected', 'status', 'status']);
  });

  describe('with a second link of the same process', () => {
    it('moves new work without a gap, and lets the old link finish', () => {
      const older = connect('p');
      older.connection.onInventory(inventory(1, 'a'));
      older.connection.onStatus(status({ memory_free_bytes: 5 }));
      older.session.openStreams = 1;
      changes.length = 0;

      const newer = connect('p');
      expect(registry.find(account, nodeId)).toBe(newer.connection);
      expect(changes).toEqual(['connected', 'inventory']);
      expect([...newer.connection.models.keys()]).toEqual(['a']);
      expect(newer.connection.status).toMatchObject({ memory_free_bytes: 5 });
      expect(older.connection.acceptsWork).toBe(false);

      older.connection.tick();
      expect(older.session.told).toEqual(['ready', 'goaway superseded', 'tick']);
      older.session.openStreams = 0;
      older.connection.tick();
      expect(older.session.told.at(-1)).toBe('close 1000 superseded');
      expect(online()).toEqual([nodeId]);
      expect(changes).toEqual(['connected', 'inventory']);
    });

    it('ignores reports of the old link', () => {
      const older = connect('p');
      connect('p');
      changes.length = 0;
      older.connection.onInventory(inventory(1, 'stale'));
      older.connection.onStatus(status());
      expect(changes).toEqual([]);
      expect(registry.find(account, nodeId)?.models.size).toBe(0);
    });
  });

  describe('with a link of another process', () => {
    it('ends the old link and starts with empty state', () => {
      const older = connect('p');
      older.connection.onInventory(inventory(1, 'a'));
      const newer = connect('q');
      expect(older.session.told).toEqual(['ready', 'goaway superseded', 'close 4409 superseded']);
      expect(registry.find(account, nodeId)).toBe(newer.connection);
      expect(newer.connection.models.size).toBe(0);
      expect(changes).toEqual(['connected', 'inventory', 'disconnected', 'connected']);
    });

    it('refuses a late HELLO of an earlier handshake', () => {
      const slow = dial();
      connect('p');
      slow.connection.onHello(hello('q'));
      expect(slow.session.told).toEqual(['close 4409 superseded']);
      expect(changes).toEqual(['connected']);
    });

    it('refuses both when they keep competing, with Retry-After', () => {
      const links = ['p', 'q', 'p', 'q', 'p'].map((processId) => connect(processId));
      expect(links.map(({ session }) => session.told.at(-1)).slice(-2)).toEqual([
        'close 4409 same_identity_twice',
        'close 4409 same_identity_twice',
      ]);
      expect(online()).toEqual([]);
      expect(changes.at(-1)).toBe('disconnected');
      expect(registry.conflictSeconds(nodeId)).toBe(300);
      clock.advance(300_000);
      expect(registry.conflictSeconds(nodeId)).toBeUndefined();
    });
  });

  describe('when a node is revoked', () => {
    it('closes all of its links at once', () => {
      const older = connect('p');
      const newer = connect('p');
      const unknown = dial();
      registry.revoke(account, nodeId);
      for (const { session } of [older, newer, unknown]) expect(session.told.at(-1)).toBe('close 4401 revoked');
      expect(online()).toEqual([]);
      expect(changes.slice(-2)).toEqual(['disconnected', 'revoked']);
    });

    it('refuses a handshake that was under way', () => {
      registry.revoke(account, nodeId);
      const { session } = connect('p');
      expect(session.told).toEqual(['close 4401 revoked']);
      expect(online()).toEqual([]);
    });

    it('does not affect other nodes', () => {
      const other = connect('p', { id: createNodeId() });
      registry.revoke(account, nodeId);
      expect(other.session.told).toEqual(['ready']);
    });
  });

  it("applies the owner's changes at once on the same link, also to a handshake under way", () => {
    const settings = { name: 'new name', clusterId: createClusterId(), paused: true };
    registry.adopt(account, nodeId, settings);
    const { connection } = connect('p');
    expect(connection.acceptsWork).toBe(false);
    connection.onInventory(inventory(1, 'a'));
    registry.adopt(account, nodeId, { ...settings, paused: false });
    expect([connection.name, connection.clusterId, connection.acceptsWork]).toEqual([
      'new name',
      settings.clusterId,
      true,
    ]);
    expect(changes.slice(-2)).toEqual(['inventory', 'status']);
  });

  describe('when a node misbehaves', () => {
    it.each([
      ['reports a change to nothing', { ...inventory(2), full: false }, 'inventory out_of_order'],
      [
        'reports too many models',
        inventory(1, ...Array.from({ length: 11 }, (_, index) => `m${index}`)),
        'inventory too_many_models',
      ],
    ])('closes only its link: it %s', (_name, message, reason) => {
      const bad = connect('p');
      const good = connect('p', { id: createNodeId() });
      bad.connection.onInventory(message);
      expect(bad.session.told.at(-1)).toBe(`close 1002 ${reason}`);
      expect(good.session.told).toEqual(['ready']);
      expect(online()).toEqual([good.connection.nodeId]);
    });

    it('closes its link when it never stops reporting', () => {
      const { connection, session } = connect('p');
      for (let report = 0; report < 600; report += 1) connection.onStatus(status());
      expect(session.told).toEqual(['ready']);
      connection.onStatus(status());
      expect(session.told.at(-1)).toBe('close 1002 too many reports');
    });

    it('tolerates a node that reports once a second for hours', () => {
      const { connection, session } = connect('p');
      for (let second = 0; second < 10_000; second += 1) {
        clock.advance(1_000);
        connection.onStatus(status());
      }
      expect(session.told).toEqual(['ready']);
    });
  });

  describe('for operations', () => {
    const operation_id = `op_${'0'.repeat(32)}`;
    const cancel = { verb: 'cancel', operation_id } as const;
    const progress = { operation_id, state: 'running', phase: '', completed_bytes: null, total_bytes: null } as const;
    const result = { operation_id, outcome: 'succeeded', failure: null, model_key: null } as const;
    let heard: string[];
    const reports: OperationReports = {
      onNodeReady: (node) => heard.push(`ready ${node.nodeId}`),
      onProgress: (node, { state }) => heard.push(`${state} ${node.nodeId}`),
      onResult: (node, { outcome }) => heard.push(`${outcome} ${node.nodeId}`),
    };

    beforeEach(() => {
      heard = [];
      registry.reportOperationsTo(reports);
    });

    it('emits when a node accepts commands, and forwards its reports', () => {
      const { connection, session } = connect('p');
      expect(session.told).toEqual(['ready']);
      connection.onProgress(progress);
      connection.onResult(result);
      expect(heard).toEqual([`ready ${nodeId}`, `running ${nodeId}`, `succeeded ${nodeId}`]);
    });

    it('sends a command to a node of the account, and reports failure', () => {
      const { session } = connect('p');
      expect(registry.sendCommand(account, nodeId, cancel)).toBe(true);
      expect(session.told.at(-1)).toBe('command cancel');
      expect(registry.sendCommand(stranger, nodeId, cancel)).toBe(false);
      expect(registry.sendCommand(account, createNodeId(), cancel)).toBe(false);
      session.goAway({ reason: 'draining' });
      expect(registry.sendCommand(account, nodeId, cancel)).toBe(false);
    });

    it('ignores reports of replaced and refused links', () => {
      const older = connect('p');
      connect('p');
      heard.length = 0;
      older.connection.onResult(result);
      registry.revoke(account, nodeId);
      connect('p').connection.onProgress(progress);
      expect(heard).toEqual([]);
    });

    it('tolerates four reports a second of eight operations, and closes the link of a flooding node', () => {
      const { connection, session } = connect('p');
      for (let report = 0; report < 4 * 8 * 120; report += 1) {
        clock.advance(1_000 / (4 * 8));
        connection.onProgress(progress);
      }
      expect(session.told).toEqual(['ready']);
      heard.length = 0;
      for (let report = 0; report < 10_000; report += 1) connection.onProgress(progress);
      expect(session.told.at(-1)).toBe('close 1002 too many reports');
      expect(heard.length).toBeLessThanOrEqual(2_400);
    });

    it('has one listener', () => {
      expect(() => {
        registry.reportOperationsTo(reports);
      }).toThrow('operations have one listener');
    });
  });

  it('sends GOAWAY to every node when the relay drains, spread over time', () => {
    const one = connect('p');
    const other = connect('p', { id: createNodeId() });
    const nameless = dial({ id: createNodeId() });
    registry.drain(() => 5_000);
    for (const { session } of [one, other]) expect(session.told.at(-1)).toBe('goaway draining');
    expect(nameless.session.told).toEqual(['close 1001 draining']);
    expect(registry.draining).toBe(true);

    other.session.openStreams = 2;
    expect(registry.openStreams).toBe(2);
    registry.closeAll();
    for (const { session } of [one, other]) expect(session.told.at(-1)).toBe('close 1001 draining');
    expect(online()).toEqual([]);
  });

  it('ticks every link, also before HELLO', () => {
    const [one, other] = [connect('p'), dial({ id: createNodeId() })];
    registry.tick();
    expect([one.session.told, other.session.told]).toEqual([['ready', 'tick'], ['tick']]);
  });

  it('sends a request over the link of the node', () => {
    const { connection, session } = connect('p');
    const stream = connection.open({ request_id: 'req_1' } as OpenMessage, Buffer.alloc(0), {
      validate: () => undefined,
    } as unknown as CheckedResponse);
    expect(stream.id).toBe(1);
    expect(session.told.at(-1)).toBe('open req_1');
  });
});
