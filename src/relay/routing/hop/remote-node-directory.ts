import type { Observable, Subscription } from 'rxjs';
import type { AccountId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import type { NodeChange, OnlineNode } from '../../nodes/registry/online-node.js';
import type { PresenceTable } from '../../replicas/presence/presence-table.js';
import type { RemoteNode } from '../../replicas/presence/remote-nodes.js';
import { ForwardingNode, type Routes } from './forwarding-node.js';
import type { NodeFacts } from './node-facts.js';

export interface RemoteNodeDirectoryOptions {
  readonly table: Pick<PresenceTable, 'find' | 'nodeChanges$' | 'nodes' | 'replicas'>;
  readonly routes: Routes;
  /** Nodes with a link to this replica. */
  readonly local: {
    readonly changes$: Observable<NodeChange>;
    find(accountId: AccountId, nodeId: NodeId): { readonly hasReported: boolean } | undefined;
  };
  readonly reachable: {
    putRemote(node: OnlineNode): void;
    remoteStatusChanged(accountId: AccountId, nodeId: NodeId): void;
    dropRemote(accountId: AccountId, nodeId: NodeId): void;
  };
  /** Loads what routing needs of the account. */
  readonly prepare: (accountId: AccountId) => Promise<void>;
  /** Asks one replica. null: no response, or it has no such node. */
  readonly query: (place: RemoteNode) => Promise<NodeFacts | null>;
  /** Replicas that have a node which this one has not. */
  readonly onPeers: (peers: ReadonlySet<ReplicaId>) => void;
}

interface Known {
  readonly accountId: AccountId;
  /** null until its replica has answered. */
  source: Pick<RemoteNode, 'replicaId' | 'modelsRevision' | 'clusterId'> | null;
  peers: readonly ReplicaId[];
}

/** Nodes that this replica sends requests to through others. More are not used. */
const MAX_NODES = 20_000;
/** Questions for their models at one time. */
const CONCURRENT_QUERIES = 16;

/** Follows presence: which nodes only other replicas have, with their models. */
export class RemoteNodeDirectory {
  private readonly known = new Map<NodeId, Known>();
  /** Nodes by the replicas that have them, so that links are kept to those only. */
  private readonly peers = new Map<ReplicaId, number>();
  private readonly due = new Map<NodeId, AccountId>();
  private readonly toQuery = new Set<NodeId>();
  private readonly failed = new Set<NodeId>();
  private querying = 0;
  private scheduled = false;
  private replicaStates = '';
  private subscriptions: Subscription[] = [];

  constructor(private readonly options: RemoteNodeDirectoryOptions) {}

  start(): void {
    const { table, local } = this.options;
    const check = ({ accountId, nodeId }: { accountId: AccountId; nodeId: NodeId }): void => {
      this.check(accountId, nodeId);
    };
    this.subscriptions = [
      table.nodeChanges$.subscribe(check),
      local.changes$.subscribe((change) => {
        if (change.kind === 'disconnected' || this.known.has(change.nodeId)) check(change);
      }),
    ];
  }

  stop(): void {
    for (const subscription of this.subscriptions.splice(0)) subscription.unsubscribe();
    this.due.clear();
    this.toQuery.clear();
  }

  /** About once a second. */
  tick(): void {
    for (const nodeId of this.failed) this.toQuery.add(nodeId);
    this.failed.clear();
    // Silent and returned replicas change all of their nodes, without a message for each.
    const states = Array.from(this.options.table.replicas(), ({ replicaId, state }) => replicaId + state).join();
    if (states !== this.replicaStates) for (const node of this.options.table.nodes()) this.check(...node);
    this.replicaStates = states;
    this.queryNext();
  }

  /** A link to this replica began or ended: requests that wait for its nodes are tried. */
  peerChanged(peer: ReplicaId): void {
    for (const [nodeId, { accountId, peers }] of this.known)
      if (peers.includes(peer)) this.options.reachable.remoteStatusChanged(accountId, nodeId);
  }

  private check(accountId: AccountId, nodeId: NodeId): void {
    this.due.set(nodeId, accountId);
    if (this.scheduled) return;
    this.scheduled = true;
    // A snapshot changes many nodes several times in one turn of the event loop.
    setImmediate(() => {
      this.scheduled = false;
      const due = [...this.due];
      this.due.clear();
      for (const [id, account] of due) this.follow(account, id);
      this.options.onPeers(new Set(this.peers.keys()));
      this.queryNext();
    });
  }

  private follow(accountId: AccountId, nodeId: NodeId): void {
    const { table, local, reachable } = this.options;
    const places = table.find(accountId, nodeId);
    if (places.length === 0 || local.find(accountId, nodeId)?.hasReported === true) {
      this.drop(accountId, nodeId);
      return;
    }
    let known = this.known.get(nodeId);
    if (known === undefined) {
      if (this.known.size >= MAX_NODES) return;
      this.known.set(nodeId, (known = { accountId, source: null, peers: [] }));
    }
    this.count(known.peers, -1);
    known.peers = places.map(({ replicaId }) => replicaId);
    this.count(known.peers, 1);
    if (places.some((place) => isSource(place, known.source))) reachable.remoteStatusChanged(accountId, nodeId);
    else this.toQuery.add(nodeId);
  }

  private drop(accountId: AccountId, nodeId: NodeId): void {
    const known = this.known.get(nodeId);
    if (known === undefined) return;
    this.known.delete(nodeId);
    this.toQuery.delete(nodeId);
    this.failed.delete(nodeId);
    this.count(known.peers, -1);
    this.options.reachable.dropRemote(accountId, nodeId);
  }

  private count(peers: readonly ReplicaId[], by: 1 | -1): void {
    for (const peer of peers) {
      const nodes = (this.peers.get(peer) ?? 0) + by;
      if (nodes === 0) this.peers.delete(peer);
      else this.peers.set(peer, nodes);
    }
  }

  private queryNext(): void {
    for (const nodeId of this.toQuery) {
      if (this.querying >= CONCURRENT_QUERIES) return;
      this.toQuery.delete(nodeId);
      this.querying += 1;
      void this.query(nodeId).then((done) => {
        this.querying -= 1;
        if (!done && this.known.has(nodeId)) this.failed.add(nodeId);
        this.queryNext();
      });
    }
  }

  /** @returns false: to be asked again later. Never rejects. */
  private async query(nodeId: NodeId): Promise<boolean> {
    const { table, routes, reachable, prepare, query: ask } = this.options;
    const known = this.known.get(nodeId);
    if (known === undefined) return true;
    const [place] = table.find(known.accountId, nodeId);
    if (place === undefined) return true;
    // The table changes it in place.
    const { replicaId, modelsRevision, clusterId } = place;
    try {
      const facts = await ask(place);
      if (facts === null) return false;
      await prepare(known.accountId);
      if (this.known.get(nodeId) !== known) return true;
      known.source = { replicaId, modelsRevision, clusterId };
      reachable.putRemote(new ForwardingNode({ nodeId, accountId: known.accountId, clusterId }, facts, routes));
      // Changed while it was asked.
      this.check(known.accountId, nodeId);
      return true;
    } catch {
      return false;
    }
  }
}

const isSource = (place: RemoteNode, source: Known['source']): boolean =>
  place.replicaId === source?.replicaId &&
  place.modelsRevision === source.modelsRevision &&
  place.clusterId === source.clusterId;
