import { Logger } from '@nestjs/common';
import {
  createClusterId,
  createNodeId,
  createReplicaId,
  type AccountId,
  type NodeId,
} from '../../../src/kernel/ids.js';
import type { HelloMessage, InventoryMessage, StatusMessage } from '../../../src/link/messages.js';
import { NodeConnection } from '../../../src/relay/nodes/registry/node-connection.js';
import type { LiveReplicas } from '../../../src/relay/nodes/handshake/live-replicas.js';
import { NodeRegistry } from '../../../src/relay/nodes/registry/node-registry.js';
import { ReplicaAnnouncements } from '../../../src/relay/nodes/registry/replica-announcements.js';
import { ManualClock } from '../clock/manual-clock.js';
import { FakeLinkSession } from '../link/fake-link-session.js';
import { modelReport } from '../link/model-report.js';

Logger.overrideLogger(false);

export const account = 'acc_1' as AccountId;
export const otherAccount = 'acc_2' as AccountId;
export const nodeId = createNodeId();

export const hello = (process_id: string, extra: Partial<HelloMessage> = {}): HelloMessage => ({
  protocol_versions: [1],
  agent_version: '0.1.0',
  process_id,
  node_name: 'laptop',
  platform: 'linux-x64',
  engines: [],
  features: [],
  ...extra,
});

export const inventory = (version: number, ...keys: string[]): InventoryMessage => ({
  version,
  full: true,
  more: false,
  removed: [],
  models: keys.map((key) => modelReport(key, { key })),
});

export const status = (extra: Partial<StatusMessage> = {}): StatusMessage => ({
  engines: [],
  paused: false,
  draining: false,
  memory_free_bytes: null,
  ...extra,
});

export interface HarnessLink {
  readonly connection: NodeConnection;
  readonly session: FakeLinkSession;
}

interface DialOptions {
  readonly id?: NodeId;
  /** Absent: a new one. */
  readonly epoch?: number;
}

/** A node registry with fake links and a manual clock. */
export class NodeRegistryHarness {
  readonly clock = new ManualClock();
  /** What presence would say of the replicas; a test changes it. */
  readonly live = { count: 1, addresses: [] as string[], joins: 0 };
  private readonly source: LiveReplicas = {
    count: () => this.live.count,
    linkAddresses: () => this.live.addresses,
    joins: () => this.live.joins,
  };
  readonly replicas = new ReplicaAnnouncements(this.source, null, this.clock);
  readonly registry = new NodeRegistry(this.clock, this.replicas);
  readonly changes: string[] = [];
  private epoch = 0;

  constructor() {
    this.registry.changes$.subscribe(({ kind }) => this.changes.push(kind));
  }

  /** A new link before its HELLO. */
  dial(options: DialOptions = {}): HarnessLink {
    let session: FakeLinkSession | undefined;
    const connection = new NodeConnection({
      identity: {
        accountId: account,
        nodeId: options.id ?? nodeId,
        clusterId: createClusterId(),
        name: 'laptop',
        paused: false,
        epoch: options.epoch ?? (this.epoch += 1),
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
      host: this.registry,
      clock: this.clock,
      relayVersion: '0.1.0',
      limits: { max_streams: 8, to_node_window_bytes: 1, to_relay_window_bytes: 1, max_outstanding_bytes: 1 },
      replica: { id: createReplicaId(), link_address: null, max_links: 3 },
      replicas: this.replicas,
      modelLimit: 10,
      congestedBytes: 1_000,
      createSession: (handlers) => {
        session = new FakeLinkSession(handlers);
        return session;
      },
    });
    this.registry.add(connection);
    if (session === undefined) throw new Error('no session');
    return { connection, session };
  }

  connect(processId: string, options: DialOptions = {}): HarnessLink {
    const link = this.dial(options);
    link.connection.onHello(hello(processId));
    return link;
  }

  online(accountId = account): NodeId[] {
    return [...this.registry.onlineIn(accountId)].map((node) => node.nodeId);
  }
}
