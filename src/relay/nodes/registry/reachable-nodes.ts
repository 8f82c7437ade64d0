import { Subject, type Observable } from 'rxjs';
import type { AccountId, NodeId } from '../../../kernel/ids.js';
import type { NodeReport } from './node-report.js';
import type { NodeChange, OnlineNode } from './online-node.js';

/** The registry: nodes with a link to this replica. */
interface LinkedNodes {
  readonly changes$: Observable<NodeChange>;
  onlineIn(accountId: AccountId): Iterable<OnlineNode>;
  find(accountId: AccountId, nodeId: NodeId): OnlineNode | undefined;
}

/** A node that is connected to another replica of the relay. */
interface NodeOfReplica {
  readonly acceptsWork: boolean;
}

/** Token of {@link NodesOfReplicas}: the feature that knows the other replicas is above nodes. */
export const NODES_OF_REPLICAS = Symbol('ferry.nodes-of-replicas');

/** The other replicas report these facts of their nodes. Without other replicas there are none. */
export interface NodesOfReplicas {
  find(accountId: AccountId, nodeId: NodeId): NodeOfReplica | undefined;
  /** Asks the replicas that have the nodes. A node is missing when no replica has it or its replica does not answer in time. Never rejects. */
  reports(accountId: AccountId, nodeIds: readonly NodeId[]): Promise<ReadonlyMap<NodeId, NodeReport>>;
}

/**
 * All nodes that a request may be sent to: those with a link to this replica, and those that only other replicas have. Of a node that both
 * have, only the own link counts, as soon as the node has reported over it: until then, requests would find no model on it. Without other
 * replicas this is the registry.
 */
export class ReachableNodes {
  private readonly remote = new Map<AccountId, Map<NodeId, OnlineNode>>();
  private readonly changes = new Subject<NodeChange>();
  /** Emits after the change, synchronously. Listeners must not throw. */
  readonly changes$: Observable<NodeChange> = this.changes.asObservable();

  constructor(
    private readonly registry: LinkedNodes,
    private readonly elsewhere: NodesOfReplicas,
  ) {
    registry.changes$.subscribe((change) => {
      this.onLocalChange(change);
    });
  }

  onlineIn(accountId: AccountId): Iterable<OnlineNode> {
    const remote = this.remote.get(accountId);
    const local = this.registry.onlineIn(accountId);
    return remote === undefined ? local : this.both(accountId, local, remote);
  }

  find(accountId: AccountId, nodeId: NodeId): OnlineNode | undefined {
    const local = this.registry.find(accountId, nodeId);
    return local?.hasReported === true ? local : (this.remote.get(accountId)?.get(nodeId) ?? local);
  }

  /** Whether the node has a link to any replica. Its models may still be unknown here. */
  isOnline(accountId: AccountId, nodeId: NodeId): boolean {
    return this.registry.find(accountId, nodeId) !== undefined || this.findOnReplicas(accountId, nodeId) !== undefined;
  }

  /** As the other replicas tell. */
  findOnReplicas(accountId: AccountId, nodeId: NodeId): NodeOfReplica | undefined {
    return this.elsewhere.find(accountId, nodeId);
  }

  /** Covers nodes without a link to this replica, like {@link NodesOfReplicas.reports}. */
  reportsOfReplicas(accountId: AccountId, nodeIds: readonly NodeId[]): Promise<ReadonlyMap<NodeId, NodeReport>> {
    return this.elsewhere.reports(accountId, nodeIds);
  }

  /** A node of other replicas appeared, or its models changed. */
  putRemote(node: OnlineNode): void {
    const { accountId, nodeId } = node;
    const nodes = this.remote.get(accountId) ?? new Map<NodeId, OnlineNode>();
    this.remote.set(accountId, nodes.set(nodeId, node));
    this.announceRemote(accountId, nodeId, 'inventory');
  }

  /** It accepts requests now, or not any more. */
  remoteStatusChanged(accountId: AccountId, nodeId: NodeId): void {
    if (this.remote.get(accountId)?.has(nodeId) === true) this.announceRemote(accountId, nodeId, 'status');
  }

  /** No other replica has it any more, or it has reported over a link to this one. */
  dropRemote(accountId: AccountId, nodeId: NodeId): void {
    const nodes = this.remote.get(accountId);
    if (nodes?.delete(nodeId) !== true) return;
    if (nodes.size === 0) this.remote.delete(accountId);
    const kind = this.registry.find(accountId, nodeId) === undefined ? 'disconnected' : 'inventory';
    this.changes.next({ accountId, nodeId, kind });
  }

  private announceRemote(accountId: AccountId, nodeId: NodeId, kind: NodeChange['kind']): void {
    if (this.registry.find(accountId, nodeId)?.hasReported !== true) this.changes.next({ accountId, nodeId, kind });
  }

  private onLocalChange(change: NodeChange): void {
    this.changes.next(change);
    const { accountId, nodeId, kind } = change;
    if (kind === 'revoked') this.dropRemote(accountId, nodeId);
    else if (kind === 'disconnected' && this.remote.get(accountId)?.has(nodeId) === true)
      this.announceRemote(accountId, nodeId, 'inventory');
  }

  private *both(
    accountId: AccountId,
    local: Iterable<OnlineNode>,
    remote: ReadonlyMap<NodeId, OnlineNode>,
  ): Iterable<OnlineNode> {
    for (const node of local) if (node.hasReported || !remote.has(node.nodeId)) yield node;
    for (const [nodeId, node] of remote) if (this.registry.find(accountId, nodeId)?.hasReported !== true) yield node;
  }
}
