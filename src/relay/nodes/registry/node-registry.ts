import { Logger } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import type { CommandMessage } from '../../../link/messages.js';
import type { LinkCloseReason } from '../../../link/link-errors.js';
import type { NodeSettings } from '../handshake/link-identity.js';
import type { LinkHost, NodeConnection } from './node-connection.js';
import { LinkHistory } from './link-history.js';
import { LinkArbiter, type ArbitrationOutcome } from './link-arbiter.js';
import type { OperationReports } from './operation-reports.js';
import type { ReplicaAnnouncements } from './replica-announcements.js';
import type { NodeChange } from './online-node.js';

/** A link that was authenticated just before its node was revoked is refused at HELLO. Only handshakes in flight matter. */
const REMEMBERED_REVOCATIONS = 10_000;

/** A handshake that read a node's settings just before they changed is over by then. */
const REMEMBERED_SETTINGS_MS = 60_000;

interface ChangedSettings {
  readonly settings: NodeSettings;
  /** Monotonic. */
  readonly untilMs: number;
}

/** The identity of a node is in use on two computers, and for so long it is refused. */
export interface IdentityConflict {
  readonly nodeId: NodeId;
  readonly seconds: number;
}

/** A node has said that it leaves, and has. */
export interface NodeStop {
  readonly accountId: AccountId;
  readonly nodeId: NodeId;
  readonly epoch: number;
}

/** Connected nodes, in memory. State of a node belongs to its link, so that one node cannot affect another. */
export class NodeRegistry implements LinkHost {
  private readonly logger = new Logger('Nodes');
  private readonly arbiters = new Map<NodeId, LinkArbiter<NodeConnection>>();
  private readonly online = new Map<AccountId, Map<NodeId, NodeConnection>>();
  /** All links, also before HELLO and after being superseded. */
  private readonly openLinks = new Set<NodeConnection>();
  private readonly revoked = new LruMap<NodeId, true>(REMEMBERED_REVOCATIONS);
  private readonly settings = new LruMap<NodeId, ChangedSettings>(REMEMBERED_REVOCATIONS);
  private readonly changes = new Subject<NodeChange>();

  private readonly conflicts = new Subject<IdentityConflict>();
  private readonly stops = new Subject<NodeStop>();
  /** Told by other replicas. Monotonic milliseconds until which they refuse the node. */
  private readonly conflictsOnReplicas = new LruMap<NodeId, number>(REMEMBERED_REVOCATIONS);

  /** Records links to this replica only. */
  readonly history: LinkHistory;

  private isDraining = false;
  private operationListener: OperationReports | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly replicas: Pick<ReplicaAnnouncements, 'changed'>,
  ) {
    this.history = new LinkHistory(clock);
  }

  /** Emits after the change, synchronously. Listeners must not throw. */
  readonly changes$: Observable<NodeChange> = this.changes.asObservable();

  /** Emits when this replica begins to refuse a node whose identity is in use on two computers. */
  readonly conflicts$: Observable<IdentityConflict> = this.conflicts.asObservable();

  /** Emits when a node that was stopped has no link to this replica any more. */
  readonly stops$: Observable<NodeStop> = this.stops.asObservable();

  onlineIn(accountId: AccountId): Iterable<NodeConnection> {
    return this.online.get(accountId)?.values() ?? [];
  }

  find(accountId: AccountId, nodeId: NodeId): NodeConnection | undefined {
    return this.online.get(accountId)?.get(nodeId);
  }

  /** @returns false when nothing was sent: the node is offline or going away, or its agent knows no operations */
  sendCommand(accountId: AccountId, nodeId: NodeId, message: CommandMessage): boolean {
    return this.find(accountId, nodeId)?.sendCommand(message) ?? false;
  }

  /** Registers the only listener. @throws Error at a second call */
  reportOperationsTo(reports: OperationReports): void {
    if (this.operationListener !== null) throw new Error('operations have one listener');
    this.operationListener = reports;
  }

  operationReports(connection: NodeConnection): OperationReports | null {
    return this.arbiters.get(connection.nodeId)?.current === connection ? this.operationListener : null;
  }

  /** Active links of all accounts. */
  *active(): Iterable<NodeConnection> {
    for (const nodes of this.online.values()) yield* nodes.values();
  }

  /** Seconds for which the node is refused because its identity is in use on two computers. */
  conflictSeconds(nodeId: NodeId): number | undefined {
    const refusedForMs = this.arbiters.get(nodeId)?.refusedForMs ?? 0;
    return refusedForMs > 0 ? Math.ceil(refusedForMs / 1_000) : undefined;
  }

  /** @param seconds for which another replica refuses the node */
  conflictOnReplica({ nodeId, seconds }: IdentityConflict): void {
    this.conflictsOnReplicas.set(nodeId, this.clock.monotonicMs() + 1_000 * seconds);
  }

  /** Whether this replica or another one refuses the node because its identity is in use on two computers. */
  isInConflict(nodeId: NodeId): boolean {
    if (this.conflictSeconds(nodeId) !== undefined) return true;
    return this.clock.monotonicMs() < (this.conflictsOnReplicas.get(nodeId) ?? -Infinity);
  }

  add(connection: NodeConnection): void {
    this.openLinks.add(connection);
  }

  /** About once a second: liveness, timeouts, links that have become idle, and what nodes must know of other replicas. */
  tick(): void {
    for (const connection of this.openLinks) connection.tick();
    const replicas = this.replicas.changed();
    if (replicas !== null) for (const connection of this.openLinks) connection.sendReplicas(replicas);
    for (const [nodeId, arbiter] of this.arbiters) if (arbiter.vacant) this.arbiters.delete(nodeId);
  }

  /** The node's streams are lost and its links closed before this returns. */
  revoke(accountId: AccountId, nodeId: NodeId): void {
    this.revoked.set(nodeId, true);
    for (const connection of this.openLinks) if (connection.nodeId === nodeId) connection.revoke();
    this.changes.next({ accountId, nodeId, kind: 'revoked' });
  }

  /** The node was renamed, moved, paused or resumed: routing and inventory follow before this returns, and the link stays. */
  adopt(accountId: AccountId, nodeId: NodeId, settings: NodeSettings): void {
    this.settings.set(nodeId, { settings, untilMs: this.clock.monotonicMs() + REMEMBERED_SETTINGS_MS });
    for (const connection of this.openLinks) if (connection.nodeId === nodeId) connection.adopt(settings);
    const active = this.find(accountId, nodeId);
    if (active === undefined) return;
    // The models of a cluster are derived from reports, so the node's inventory is announced again.
    if (active.inventory.complete) this.announce(active, 'inventory');
    this.announce(active, 'status');
  }

  /** True once the relay drains: no node is admitted. */
  get draining(): boolean {
    return this.isDraining;
  }

  /** Sends every node away with its own delay, so that they do not all reconnect at once. */
  drain(reconnectInMs: () => number): void {
    this.isDraining = true;
    for (const connection of this.openLinks) connection.drain(reconnectInMs());
  }

  /** Number of all links, superseded ones included. */
  get links(): number {
    return this.openLinks.size;
  }

  /** Requests that run on any link. */
  get openStreams(): number {
    let streams = 0;
    for (const connection of this.openLinks) streams += connection.openStreams;
    return streams;
  }

  closeAll(): void {
    for (const connection of this.openLinks) connection.close();
  }

  take(connection: NodeConnection): ArbitrationOutcome {
    const { nodeId, accountId } = connection;
    if (this.revoked.get(nodeId) === true) {
      connection.revoke();
      return 'refused';
    }
    const changed = this.settings.get(nodeId);
    if (changed !== undefined && this.clock.monotonicMs() < changed.untilMs) connection.adopt(changed.settings);
    const arbiter = this.arbiters.get(nodeId) ?? new LinkArbiter<NodeConnection>(this.clock);
    this.arbiters.set(nodeId, arbiter);
    const before = arbiter.current;
    const wasRefused = arbiter.refusedForMs > 0;
    const outcome = arbiter.take(connection);
    if (outcome === 'refused') {
      if (before !== null && arbiter.current === null) this.goOffline(before);
      if (arbiter.refusedForMs > 0) this.warnOfConflict(accountId, nodeId);
      if (!wasRefused) this.reportConflict(nodeId);
      return outcome;
    }
    if (before?.processId === connection.processId) connection.inherit(before);
    else if (before !== null) this.goOffline(before);
    this.accountOf(accountId).set(nodeId, connection);
    return outcome;
  }

  /** A process of the node with this epoch is connected to another replica. Links of older ones are closed before this returns. */
  endOlder(accountId: AccountId, nodeId: NodeId, epoch: number): void {
    const arbiter = this.arbiters.get(nodeId);
    const active = arbiter?.current;
    if (arbiter === undefined || (active != null && active.accountId !== accountId)) return;
    const ended = arbiter.endOlder(epoch);
    if (ended === null) return;
    this.goOffline(ended);
    if (arbiter.refusedForMs > 0) this.warnOfConflict(accountId, nodeId);
    this.reportConflict(nodeId);
  }

  announce(connection: NodeConnection, kind: NodeChange['kind']): void {
    const { accountId, nodeId } = connection;
    if (this.arbiters.get(nodeId)?.current !== connection) return;
    if (kind === 'connected') {
      this.history.connected(nodeId);
      this.logger.log('node connected', { node: nodeId, account: accountId, epoch: connection.epoch });
    }
    this.changes.next({ accountId, nodeId, kind });
  }

  leave(connection: NodeConnection, reason: LinkCloseReason, detail: string): void {
    const { nodeId, accountId } = connection;
    this.openLinks.delete(connection);
    const message = connection.wasAdmitted ? 'node link closed' : 'node link closed before it was admitted';
    this.logger.log(message, { node: nodeId, account: accountId, epoch: connection.epoch, reason, detail });
    if (connection.wasAdmitted) this.history.disconnected(nodeId, reason, detail, connection.saidGoodbye);
    if (this.arbiters.get(nodeId)?.leave(connection) !== true) return;
    this.goOffline(connection);
    if (connection.saidGoodbye) this.stops.next({ accountId, nodeId, epoch: connection.epoch });
  }

  handlerFailed({ nodeId }: NodeConnection, error: unknown): void {
    this.logger.error('link handler failed', {
      node: nodeId,
      stack: error instanceof Error ? error.stack : String(error),
    });
  }

  private warnOfConflict(accountId: AccountId, nodeId: NodeId): void {
    this.logger.warn('node identity in use on two computers', { node: nodeId, account: accountId });
  }

  private reportConflict(nodeId: NodeId): void {
    const seconds = this.conflictSeconds(nodeId);
    if (seconds !== undefined) this.conflicts.next({ nodeId, seconds });
  }

  private goOffline({ accountId, nodeId }: NodeConnection): void {
    const nodes = this.online.get(accountId);
    nodes?.delete(nodeId);
    if (nodes?.size === 0) this.online.delete(accountId);
    this.changes.next({ accountId, nodeId, kind: 'disconnected' });
  }

  private accountOf(accountId: AccountId): Map<NodeId, NodeConnection> {
    const known = this.online.get(accountId);
    if (known !== undefined) return known;
    const nodes = new Map<NodeId, NodeConnection>();
    this.online.set(accountId, nodes);
    return nodes;
  }
}
