import { Subject } from 'rxjs';
import type { AccountId, ClusterId, NodeId, ReplicaId } from '../../kernel/ids.js';
import { digestOf, type Availability, type NodePresence } from './node-presence.js';
import type { Delta, NodeEntry } from './presence-messages.js';

/** A node at another replica. */
export class RemoteNode implements NodePresence {
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
  readonly clusterId: ClusterId;
  readonly epoch: number;
  availability: Availability;
  modelsRevision: number;

  constructor(
    readonly replicaId: ReplicaId,
    entry: NodeEntry,
  ) {
    this.nodeId = entry.node;
    this.accountId = entry.account;
    this.clusterId = entry.cluster;
    this.epoch = entry.epoch;
    this.availability = entry.availability;
    this.modelsRevision = entry.models;
  }
}

/** Nodes of all other replicas, by account. */
export class RemoteNodeIndex {
  /** A node that came, changed or went. Listeners must not throw. */
  readonly changes$ = new Subject<RemoteNode>();
  private readonly accounts = new Map<AccountId, Map<NodeId, Set<RemoteNode>>>();

  *all(): Iterable<readonly [AccountId, NodeId]> {
    for (const [accountId, nodes] of this.accounts) for (const nodeId of nodes.keys()) yield [accountId, nodeId];
  }

  nodesIn(accountId: AccountId): Iterable<NodeId> {
    return this.accounts.get(accountId)?.keys() ?? [];
  }

  find(accountId: AccountId, nodeId: NodeId): Iterable<RemoteNode> {
    return this.accounts.get(accountId)?.get(nodeId) ?? [];
  }

  add(node: RemoteNode): void {
    const nodes = this.accounts.get(node.accountId) ?? new Map<NodeId, Set<RemoteNode>>();
    this.accounts.set(node.accountId, nodes);
    nodes.set(node.nodeId, (nodes.get(node.nodeId) ?? new Set()).add(node));
    this.changes$.next(node);
  }

  remove(node: RemoteNode): void {
    const nodes = this.accounts.get(node.accountId);
    const places = nodes?.get(node.nodeId);
    if (nodes === undefined || places === undefined) return;
    places.delete(node);
    if (places.size === 0) nodes.delete(node.nodeId);
    if (nodes.size === 0) this.accounts.delete(node.accountId);
    this.changes$.next(node);
  }
}

/** Nodes of one other replica, by the numbers that it gave them. */
export class ReplicaNodes {
  private readonly byNumber = new Map<number, RemoteNode>();
  private currentDigest = 0;

  constructor(
    private readonly replicaId: ReplicaId,
    private readonly index: RemoteNodeIndex,
  ) {}

  get size(): number {
    return this.byNumber.size;
  }

  get digest(): number {
    return this.currentDigest;
  }

  clear(): void {
    for (const node of this.byNumber.values()) this.index.remove(node);
    this.byNumber.clear();
    this.currentDigest = 0;
  }

  replaceBy(entries: readonly NodeEntry[]): void {
    this.clear();
    for (const entry of entries) this.put(entry);
  }

  apply(delta: Delta): void {
    for (const number of delta.down) this.remove(number);
    for (const entry of delta.up) this.put(entry);
    for (const availability of ['free', 'full', 'unavailable'] as const)
      for (const number of delta[availability]) this.change(number, (node) => (node.availability = availability));
    for (let at = 0; at + 1 < delta.models.length; at += 2)
      this.change(delta.models[at] ?? 0, (node) => (node.modelsRevision = delta.models[at + 1] ?? 0));
  }

  private put(entry: NodeEntry): void {
    this.remove(entry.n);
    const node = new RemoteNode(this.replicaId, entry);
    this.byNumber.set(entry.n, node);
    this.index.add(node);
    this.currentDigest ^= digestOf(entry.n, node);
  }

  private remove(number: number): void {
    const node = this.byNumber.get(number);
    if (node === undefined) return;
    this.currentDigest ^= digestOf(number, node);
    this.byNumber.delete(number);
    this.index.remove(node);
  }

  /** A number that is not known shows in the digest. */
  private change(number: number, apply: (node: RemoteNode) => void): void {
    const node = this.byNumber.get(number);
    if (node === undefined) return;
    this.currentDigest ^= digestOf(number, node);
    apply(node);
    this.currentDigest ^= digestOf(number, node);
    this.index.changes$.next(node);
  }
}
