import { Subject } from 'rxjs';
import type { AccountId, ClusterId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import { loadsOfEntry, withLoad, type EngineLoads } from './engine-loads.js';
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
  /** Another map whenever one of them changes. Routing reads it for each request, so that nobody is told. */
  loads: EngineLoads;

  /** @param like another node, or the same at another replica: ids that are equal are kept once */
  constructor(
    readonly replicaId: ReplicaId,
    entry: NodeEntry,
    like?: RemoteNode,
  ) {
    this.nodeId = like?.nodeId === entry.node ? like.nodeId : entry.node;
    this.accountId = like?.accountId === entry.account ? like.accountId : entry.account;
    this.clusterId = like?.clusterId === entry.cluster ? like.clusterId : entry.cluster;
    this.epoch = entry.epoch;
    this.availability = entry.availability;
    this.modelsRevision = entry.models;
    this.loads = loadsOfEntry(entry.loads ?? []);
  }
}

/** Nodes of all other replicas, by account. */
export class RemoteNodeIndex {
  /** A node that came, changed or went. Listeners must not throw. */
  readonly changes$ = new Subject<RemoteNode>();
  private readonly accounts = new Map<AccountId, Map<NodeId, readonly RemoteNode[]>>();

  *all(): Iterable<readonly [AccountId, NodeId]> {
    for (const [accountId, nodes] of this.accounts) for (const nodeId of nodes.keys()) yield [accountId, nodeId];
  }

  nodesIn(accountId: AccountId): Iterable<NodeId> {
    return this.accounts.get(accountId)?.keys() ?? [];
  }

  find(accountId: AccountId, nodeId: NodeId): readonly RemoteNode[] {
    return this.accounts.get(accountId)?.get(nodeId) ?? [];
  }

  add(replicaId: ReplicaId, entry: NodeEntry): RemoteNode {
    const nodes = this.accounts.get(entry.account) ?? new Map<NodeId, readonly RemoteNode[]>();
    this.accounts.set(entry.account, nodes);
    const places = nodes.get(entry.node) ?? [];
    const [like] = places.length > 0 ? places : (firstOf(nodes.values()) ?? []);
    const node = new RemoteNode(replicaId, entry, like);
    nodes.set(node.nodeId, [...places, node]);
    this.changes$.next(node);
    return node;
  }

  remove(node: RemoteNode): void {
    const nodes = this.accounts.get(node.accountId);
    if (nodes === undefined) return;
    const places = this.find(node.accountId, node.nodeId).filter((place) => place !== node);
    if (places.length === 0) nodes.delete(node.nodeId);
    else nodes.set(node.nodeId, places);
    if (nodes.size === 0) this.accounts.delete(node.accountId);
    this.changes$.next(node);
  }
}

const firstOf = <Value>(values: Iterable<Value>): Value | undefined => {
  for (const value of values) return value;
  return undefined;
};

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
    this.applyLoads(delta.loads);
  }

  private applyLoads(loads: readonly number[]): void {
    for (let at = 0; at + 3 < loads.length; at += 4) {
      const node = this.byNumber.get(loads[at] ?? 0);
      if (node === undefined) continue;
      node.loads = withLoad(node.loads, loads[at + 1] ?? 0, {
        waiting: loads[at + 2] ?? 0,
        foreign: loads[at + 3] ?? 0,
      });
    }
  }

  private put(entry: NodeEntry): void {
    this.remove(entry.n);
    const node = this.index.add(this.replicaId, entry);
    this.byNumber.set(entry.n, node);
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
