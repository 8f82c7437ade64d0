import { Logger } from '@nestjs/common';
import { filter, type Observable, type Subscription } from 'rxjs';
import type { Clock, Rng } from '../../../kernel/clock.js';
import type { AccountId, InstanceId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import type { NodeConnection } from '../../nodes/registry/node-connection.js';
import type { NodeChange } from '../../nodes/registry/online-node.js';
import type { MessageBus } from '../bus/message-bus.js';
import { engineLoads, type EngineLoads } from './engine-loads.js';
import { FactsRevisions } from './facts-revisions.js';
import { LocalPresence } from './local-presence.js';
import type { Availability, NodePresence } from './node-presence.js';
import {
  deltaTopic,
  heartbeatRequestTopic,
  heartbeatTopic,
  snapshotRequestTopic,
  snapshotTopic,
  type Heartbeat,
} from './presence-messages.js';
import type { PresenceTable } from './presence-table.js';

export type PresentNode = Pick<
  NodeConnection,
  'nodeId' | 'accountId' | 'clusterId' | 'epoch' | 'acceptsWork' | 'freeStreams' | 'status'
>;

/** The registry, as presence uses it. */
export interface PresentNodes {
  readonly changes$: Observable<NodeChange>;
  readonly draining: boolean;
  /** Ends the links of processes that are older than the one with this epoch. */
  endOlder(accountId: AccountId, nodeId: NodeId, epoch: number): void;
  active(): Iterable<PresentNode>;
  find(accountId: AccountId, nodeId: NodeId): PresentNode | undefined;
}

export interface PresenceOptions {
  /** Filled with the nodes of the other replicas. */
  readonly table: PresenceTable;
  readonly bus: MessageBus;
  readonly nodes: PresentNodes;
  readonly instanceId: InstanceId;
  /** Nodes reach this replica alone at this address. */
  readonly linkAddress?: string | undefined;
  readonly clock: Clock;
  readonly random: Rng;
  readonly limits: {
    readonly presenceHeartbeatIntervalMs: number;
    readonly presenceSilentAfterMs: number;
    readonly presenceBatchIntervalMs: number;
    readonly presenceLoadIntervalMs: number;
  };
}

const TICK_MS = 1_000;
const JITTER_SHARE = 0.2;
/** After so many heartbeats, another relay with the id of this one counts as running. */
const COPY_HEARTBEATS = 2;

/** Tells the other replicas which nodes are connected here, and keeps what they tell. */
export class PresenceService {
  /** Nodes of the other replicas. */
  readonly table: PresenceTable;
  private readonly logger = new Logger('Replicas');
  private readonly local: LocalPresence;
  /** Nodes that may have changed since the last batch. */
  private readonly changed = new Map<NodeId, AccountId>();
  /** Nodes whose engines may have another load than was told. */
  private readonly loadDue = new Map<NodeId, AccountId>();
  private readonly revisions = new FactsRevisions();
  private copyReported = false;
  private announced: Heartbeat['state'] = 'serving';
  private ends: (() => void)[] = [];
  private batchTimer: NodeJS.Timeout | undefined;
  private batchDueAtMs = Infinity;
  /** What of this the next batch tells, and when each was told last: that a node takes work, or no longer. */
  private readonly urgent = new Set<'up' | 'down'>();
  private readonly toldAtMs = { up: -Infinity, down: -Infinity };
  private loadTimer: NodeJS.Timeout | undefined;
  private heartbeatTimer: NodeJS.Timeout | undefined;
  private tickTimer: NodeJS.Timeout | undefined;
  private possibleCopy: { readonly replica: ReplicaId; readonly receivedAtMs: number } | undefined;

  constructor(private readonly options: PresenceOptions) {
    this.table = options.table;
    this.local = new LocalPresence(options.instanceId, options.linkAddress);
  }

  start(): void {
    const { bus, nodes, limits } = this.options;
    this.ends = [
      bus.subscribe(heartbeatTopic, (heartbeat, from) => {
        if (heartbeat.instance === this.options.instanceId) this.warnOfCopy(from);
        this.requestIf(this.table.onHeartbeat(from, heartbeat), from);
      }),
      bus.subscribe(deltaTopic, (delta, from) => {
        this.requestIf(this.table.onDelta(from, delta), from);
      }),
      bus.subscribe(snapshotTopic, (snapshot, from) => {
        this.requestIf(this.table.onSnapshot(from, snapshot), from);
      }),
      bus.subscribe(snapshotRequestTopic, (_, from) => {
        for (const part of this.local.snapshot()) if (!bus.publish(snapshotTopic, part, from)) return;
      }),
      bus.subscribe(heartbeatRequestTopic, (_, from) => {
        this.sendHeartbeat(from);
      }),
      unsubscribe(
        nodes.changes$.subscribe((change) => {
          this.onNodeChange(change);
        }),
      ),
      // A newer process of a node may have connected to another replica.
      unsubscribe(
        this.table.nodeChanges$.subscribe(({ accountId, nodeId, epoch }) => {
          nodes.endOlder(accountId, nodeId, epoch);
        }),
      ),
    ];
    for (const { nodeId, accountId } of nodes.active()) this.onNodeChange({ nodeId, accountId, kind: 'inventory' });
    this.ends.push(
      unsubscribe(
        bus.status$.pipe(filter((status) => status === 'connected')).subscribe(() => {
          bus.publish(heartbeatRequestTopic, {});
          this.sendBatch();
          this.sendLoads();
          this.sendHeartbeat();
        }),
      ),
    );
    this.tickTimer = setInterval(
      () => {
        this.tick();
      },
      Math.min(TICK_MS, limits.presenceSilentAfterMs / 4),
    ).unref();
    this.scheduleHeartbeat();
  }

  /** The other replicas forget this one at once. */
  stop(): void {
    for (const end of this.ends.splice(0)) end();
    clearInterval(this.tickTimer);
    clearTimeout(this.heartbeatTimer);
    clearTimeout(this.batchTimer);
    clearTimeout(this.loadTimer);
    this.announced = 'stopped';
    this.sendHeartbeat();
  }

  private onNodeChange({ nodeId, accountId, kind }: NodeChange): void {
    if (kind === 'inventory') this.revisions.modelsChanged(nodeId);
    else if (kind === 'disconnected') this.revisions.forget(nodeId);
    this.changed.set(nodeId, accountId);
    this.loadDue.set(nodeId, accountId);
    this.scheduleBatch(accountId, nodeId);
    this.loadTimer ??= setTimeout(() => {
      this.sendLoads();
    }, this.options.limits.presenceLoadIntervalMs).unref();
  }

  /**
   * That a node takes work, or no longer does, is told at once: whoever has seen it at this replica may send the next request to another one.
   * Each of the two at most once in an interval, and apart, because a node that another process replaces ends and begins in the same moment.
   */
  private scheduleBatch(accountId: AccountId, nodeId: NodeId): void {
    const { nodes, clock, limits } = this.options;
    const nowMs = clock.monotonicMs();
    const node = nodes.find(accountId, nodeId);
    const isAvailable = node !== undefined && availabilityOf(node) !== 'unavailable';
    let dueAtMs = nowMs + limits.presenceBatchIntervalMs;
    if (isAvailable !== this.local.isAvailable(nodeId)) {
      const kind = isAvailable ? 'up' : 'down';
      dueAtMs = Math.max(nowMs, this.toldAtMs[kind] + limits.presenceBatchIntervalMs);
      this.urgent.add(kind);
    }
    if (dueAtMs >= this.batchDueAtMs) return;
    clearTimeout(this.batchTimer);
    this.batchDueAtMs = dueAtMs;
    this.batchTimer = setTimeout(
      () => {
        this.sendBatch();
      },
      Math.max(0, dueAtMs - nowMs),
    ).unref();
  }

  /** While the bus is down, the changes wait: there is at most one for each node. */
  private sendBatch(): void {
    clearTimeout(this.batchTimer);
    this.batchDueAtMs = Infinity;
    const { bus, clock } = this.options;
    if (bus.status !== 'connected' || this.changed.size === 0) return;
    for (const kind of this.urgent) this.toldAtMs[kind] = clock.monotonicMs();
    this.urgent.clear();
    this.endOlderLinks();
    const deltas = this.local.update(this.currentStates());
    this.changed.clear();
    for (const delta of deltas) bus.publish(deltaTopic, delta);
  }

  /** Less often than the batch: the load of a busy engine is another one in every report, and routing needs it only roughly. */
  private sendLoads(): void {
    clearTimeout(this.loadTimer);
    this.loadTimer = undefined;
    const { bus } = this.options;
    if (bus.status !== 'connected' || this.loadDue.size === 0) return;
    // A load belongs to a node that the others know.
    this.sendBatch();
    const deltas = this.local.updateLoads(this.currentLoads());
    this.loadDue.clear();
    for (const delta of deltas) bus.publish(deltaTopic, delta);
  }

  private *currentLoads(): Iterable<readonly [NodeId, EngineLoads]> {
    for (const [nodeId, accountId] of this.loadDue) {
      const status = this.options.nodes.find(accountId, nodeId)?.status;
      if (status != null) yield [nodeId, engineLoads(status.engines)];
    }
  }

  /** A link whose handshake ended after presence had told of a newer process. */
  private endOlderLinks(): void {
    for (const [nodeId, accountId] of [...this.changed])
      for (const { epoch } of this.table.find(accountId, nodeId)) this.options.nodes.endOlder(accountId, nodeId, epoch);
  }

  private *currentStates(): Iterable<readonly [NodeId, NodePresence | null]> {
    for (const [nodeId, accountId] of this.changed) {
      const node = this.options.nodes.find(accountId, nodeId);
      if (node === undefined) yield [nodeId, null];
      else yield [nodeId, presenceOf(node, this.revisions.revisionOf(nodeId, node.status?.engines))];
    }
  }

  private sendHeartbeat(to?: ReplicaId): void {
    if (this.options.bus.status === 'connected')
      this.options.bus.publish(heartbeatTopic, this.local.heartbeat(this.announced), to);
  }

  private scheduleHeartbeat(): void {
    const { limits, random } = this.options;
    const jitter = 1 + JITTER_SHARE * (2 * random() - 1);
    this.heartbeatTimer = setTimeout(() => {
      this.sendHeartbeat();
      this.scheduleHeartbeat();
    }, limits.presenceHeartbeatIntervalMs * jitter).unref();
  }

  private tick(): void {
    for (const replicaId of this.table.tick()) this.requestIf(true, replicaId);
    const state = this.options.nodes.draining ? 'draining' : 'serving';
    if (state === this.announced) return;
    this.announced = state;
    this.sendHeartbeat();
  }

  private requestIf(needed: boolean, replicaId: ReplicaId): void {
    if (needed) this.options.bus.publish(snapshotRequestTopic, {}, replicaId);
  }

  /**
   * A heartbeat with the instance of this relay may be a late one of the process before it, which a bus or a process that was frozen
   * delivers now. One of a relay that runs is followed by others.
   */
  private warnOfCopy(replica: ReplicaId): void {
    const nowMs = this.options.clock.monotonicMs();
    if (this.possibleCopy?.replica !== replica) this.possibleCopy = { replica, receivedAtMs: nowMs };
    const receivedForMs = nowMs - this.possibleCopy.receivedAtMs;
    if (this.copyReported || receivedForMs < COPY_HEARTBEATS * this.options.limits.presenceHeartbeatIntervalMs) return;
    this.copyReported = true;
    this.logger.warn('another relay runs on a copy of this data directory', { replica });
  }
}

function presenceOf(node: PresentNode, modelsRevision: number): NodePresence {
  const { nodeId, accountId, clusterId, epoch } = node;
  return { nodeId, accountId, clusterId, epoch, availability: availabilityOf(node), modelsRevision };
}

function availabilityOf({ acceptsWork, freeStreams, status }: PresentNode): Availability {
  if (!acceptsWork || status === null || status.engines.length === 0) return 'unavailable';
  if (freeStreams === 0) return 'full';
  return status.engines.every(({ slots_total: total, slots_used: used }) => used >= total) ? 'full' : 'free';
}

const unsubscribe = (subscription: Subscription) => (): void => {
  subscription.unsubscribe();
};
