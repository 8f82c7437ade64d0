import { NEVER, Subject, type Observable } from 'rxjs';
import { systemClock } from '../../../src/kernel/clock.js';
import {
  createAccountId,
  createClusterId,
  createInstanceId,
  createNodeId,
  createReplicaId,
  type AccountId,
  type NodeId,
  type ReplicaId,
} from '../../../src/kernel/ids.js';
import type { IdentityConflict } from '../../../src/relay/nodes/registry/node-registry.js';
import type { NodeChange } from '../../../src/relay/nodes/registry/online-node.js';
import {
  PresenceService,
  type PresentNode,
  type PresentNodes,
} from '../../../src/relay/replicas/presence/presence.service.js';
import type { BusTransport } from '../../../src/relay/replicas/bus/bus-transport.js';
import { MessageBus } from '../../../src/relay/replicas/bus/message-bus.js';
import { PresenceTable } from '../../../src/relay/replicas/presence/presence-table.js';
import { status } from '../relay/node-registry.harness.js';

const engine = (used: number, waiting = 0, foreign = 0) => ({
  name: 'engine',
  slots_total: 4,
  slots_used: used,
  queue_depth: waiting,
  foreign_requests: foreign,
});

/** Many nodes that report without links. */
export class SimulatedNodes implements PresentNodes {
  readonly changes$ = new Subject<NodeChange>();
  /** None of them has its identity on two computers. */
  readonly conflicts$: Observable<IdentityConflict> = NEVER;
  draining = false;
  readonly accountId: AccountId = createAccountId();
  private readonly nodes = new Map<NodeId, PresentNode>();

  endOlder(): void {
    // These nodes have one process each.
  }

  *active(): Iterable<PresentNode> {
    yield* this.nodes.values();
  }

  find(_accountId: AccountId, nodeId: NodeId): PresentNode | undefined {
    return this.nodes.get(nodeId);
  }

  connect(count: number): NodeId[] {
    return Array.from({ length: count }, () => {
      const nodeId = createNodeId();
      this.nodes.set(nodeId, {
        nodeId,
        accountId: this.accountId,
        clusterId: createClusterId(),
        epoch: 1,
        acceptsWork: true,
        freeStreams: 1_024,
        status: status({ engines: [engine(0)] }),
      });
      this.announce(nodeId, 'connected');
      this.announce(nodeId, 'inventory');
      return nodeId;
    });
  }

  /** A STATUS of the node. */
  report(nodeId: NodeId, usedSlots: number, waiting = 0, foreign = 0): void {
    const node = this.nodes.get(nodeId);
    if (node === undefined) return;
    this.nodes.set(nodeId, { ...node, status: status({ engines: [engine(usedSlots, waiting, foreign)] }) });
    this.announce(nodeId, 'status');
  }

  disconnect(nodeId: NodeId): void {
    this.nodes.delete(nodeId);
    this.announce(nodeId, 'disconnected');
  }

  private announce(nodeId: NodeId, kind: NodeChange['kind']): void {
    this.changes$.next({ accountId: this.accountId, nodeId, kind });
  }
}

export const DEFAULT_LIMITS = {
  presenceHeartbeatIntervalMs: 5_000,
  presenceBatchIntervalMs: 200,
  presenceLoadIntervalMs: 1_000,
  presenceSilentAfterMs: 15_000,
  presenceForgetAfterMs: 60_000,
};

export interface PresenceReplica<Nodes extends PresentNodes> {
  readonly id: ReplicaId;
  readonly bus: MessageBus;
  readonly nodes: Nodes;
  readonly presence: PresenceService;
  /** @param orderly the other replicas are told */
  stop(orderly?: boolean): Promise<void>;
}

export function startPresence<Nodes extends PresentNodes>(
  nodes: Nodes,
  transport: (id: ReplicaId) => BusTransport,
  limits: typeof DEFAULT_LIMITS = DEFAULT_LIMITS,
  instanceId = createInstanceId(),
): PresenceReplica<Nodes> {
  const id = createReplicaId();
  const bus = new MessageBus(transport(id), {
    busQueueMessages: 1_000,
    busConcurrentReplies: 64,
    busOutstandingRequests: 256,
  });
  const presence = new PresenceService({
    table: new PresenceTable(systemClock, limits),
    bus,
    nodes,
    instanceId,
    clock: systemClock,
    random: Math.random,
    limits,
  });
  presence.start();
  return {
    id,
    bus,
    nodes,
    presence,
    stop: async (orderly = true) => {
      if (!orderly) await bus.close();
      presence.stop();
      await bus.close();
    },
  };
}
