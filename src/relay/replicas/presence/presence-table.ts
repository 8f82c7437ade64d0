import type { Observable } from 'rxjs';
import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, InstanceId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import { LruMap } from '../../../kernel/lru-map.js';
import { MAX_NODES, type Delta, type Heartbeat, type NodeEntry, type Snapshot } from './presence-messages.js';
import { RemoteNodeIndex, ReplicaNodes, type RemoteNode } from './remote-nodes.js';

export interface PresenceLimits {
  readonly presenceSilentAfterMs: number;
  readonly presenceForgetAfterMs: number;
}

export type ReplicaEvent = 'joined' | 'silent' | 'returned' | 'stopped' | 'replaced' | 'forgotten';

export interface ReplicaView {
  readonly replicaId: ReplicaId;
  readonly state: 'serving' | 'draining' | 'silent';
  /** False: some of its changes are missing, and a snapshot is awaited. */
  readonly complete: boolean;
  readonly nodes: number;
}

/** More are ignored. */
const MAX_REPLICAS = 256;
/** Messages of these may still be under way. */
const REMEMBERED_DEPARTURES = 1_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

interface Peer {
  readonly replicaId: ReplicaId;
  readonly nodes: ReplicaNodes;
  instanceId: InstanceId | null;
  /** Monotonic. */
  receivedAtMs: number;
  silent: boolean;
  draining: boolean;
  linkAddress: string | null;
  /** Sequence number of the last delta or snapshot that was applied. */
  sequence: number;
  /** All of its nodes are known as of `sequence`. */
  complete: boolean;
  /** Parts of a snapshot of which others are still missing. */
  parts: { readonly sequence: number; next: number; readonly entries: NodeEntry[] } | null;
  /** Monotonic: not asked for a snapshot before. */
  queryAfterMs: number;
  retryMs: number;
}

/**
 * What this replica knows of the nodes of the others. It is soft state: whoever sends a request there is told when it is stale. Methods that
 * take a message return true when its replica is to be asked for a snapshot. No clocks of two computers are compared.
 */
export class PresenceTable {
  private readonly peers = new Map<ReplicaId, Peer>();
  private readonly index = new RemoteNodeIndex();
  private readonly gone: LruMap<ReplicaId, true>;
  private joined = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limits: PresenceLimits,
    private readonly onEvent: (replicaId: ReplicaId, event: ReplicaEvent) => void = () => undefined,
  ) {
    this.gone = new LruMap(REMEMBERED_DEPARTURES);
  }

  *replicas(): Iterable<ReplicaView> {
    for (const { replicaId, silent, draining, complete, nodes } of this.peers.values())
      yield {
        replicaId,
        state: silent ? 'silent' : draining ? 'draining' : 'serving',
        complete,
        nodes: nodes.size,
      };
  }

  /** A node of another replica came, changed or went. */
  get nodeChanges$(): Observable<RemoteNode> {
    return this.index.changes$;
  }

  /** All nodes of all other replicas. */
  nodes(): Iterable<readonly [AccountId, NodeId]> {
    return this.index.all();
  }

  /** Replicas, apart from this one, that serve requests. */
  get servingReplicas(): number {
    return this.servingIds.length;
  }

  get servingIds(): readonly ReplicaId[] {
    const serving: ReplicaId[] = [];
    for (const peer of this.peers.values()) if (isEligible(peer)) serving.push(peer.replicaId);
    return serving;
  }

  /** How many replicas have joined since the start. */
  get joins(): number {
    return this.joined;
  }

  /** Returns the configured addresses at which nodes reach the replicas. */
  get linkAddresses(): string[] {
    const addresses: string[] = [];
    for (const peer of this.peers.values())
      if (isEligible(peer) && peer.linkAddress !== null) addresses.push(peer.linkAddress);
    return addresses;
  }

  /** Nodes of the account that another replica can reach. */
  *nodesIn(accountId: AccountId): Iterable<NodeId> {
    for (const nodeId of this.index.nodesIn(accountId)) if (this.find(accountId, nodeId).length > 0) yield nodeId;
  }

  /** The node at each replica that can send it requests. Links of an older process of the node are left out. */
  find(accountId: AccountId, nodeId: NodeId): readonly RemoteNode[] {
    let found: RemoteNode[] = [];
    for (const node of this.index.find(accountId, nodeId)) {
      const peer = this.peers.get(node.replicaId);
      if (peer === undefined || !isEligible(peer)) continue;
      const epoch = found[0]?.epoch ?? -1;
      if (node.epoch > epoch) found = [node];
      else if (node.epoch === epoch) found.push(node);
    }
    return found;
  }

  onHeartbeat(from: ReplicaId, heartbeat: Heartbeat): boolean {
    if (this.isGone(from)) return false;
    if (heartbeat.state === 'stopped') {
      this.remove(from, 'stopped');
      this.gone.set(from, true);
      return false;
    }
    this.replaceOthers(from, heartbeat.instance);
    const peer = this.peerOf(from);
    // It was sent before what is known already.
    if (peer === undefined || heartbeat.sequence < peer.sequence) return false;
    peer.instanceId = heartbeat.instance;
    this.onMessage(peer);
    peer.draining = heartbeat.state === 'draining';
    peer.linkAddress = heartbeat.link_address ?? null;
    if (heartbeat.nodes === 0) this.complete(peer, heartbeat.sequence, []);
    else if (heartbeat.sequence !== peer.sequence) peer.complete = false;
    else if (heartbeat.nodes !== peer.nodes.size || heartbeat.digest !== peer.nodes.digest) peer.complete = false;
    return this.mayQuery(peer);
  }

  onDelta(from: ReplicaId, delta: Delta): boolean {
    const peer = this.isGone(from) ? undefined : this.peerOf(from);
    if (peer === undefined || delta.sequence <= peer.sequence) return false;
    this.onMessage(peer);
    if (delta.sequence !== peer.sequence + 1) peer.complete = false;
    if (!peer.complete) return this.mayQuery(peer);
    peer.nodes.apply(delta);
    peer.sequence = delta.sequence;
    return false;
  }

  onSnapshot(from: ReplicaId, snapshot: Snapshot): boolean {
    const peer = this.isGone(from) ? undefined : this.peerOf(from);
    if (peer === undefined || snapshot.sequence < peer.sequence) return false;
    this.onMessage(peer);
    if (snapshot.part === 0) peer.parts = { sequence: snapshot.sequence, next: 0, entries: [] };
    const { parts } = peer;
    if (
      parts?.sequence !== snapshot.sequence ||
      parts.next !== snapshot.part ||
      parts.entries.length + snapshot.nodes.length > MAX_NODES
    ) {
      peer.parts = null;
      return this.mayQuery(peer);
    }
    parts.entries.push(...snapshot.nodes);
    parts.next += 1;
    if (parts.next >= snapshot.parts) this.complete(peer, snapshot.sequence, parts.entries);
    return false;
  }

  /** About once a second. @returns replicas to be asked for a snapshot */
  tick(): ReplicaId[] {
    const nowMs = this.clock.monotonicMs();
    const ask: ReplicaId[] = [];
    for (const peer of [...this.peers.values()]) {
      const silentMs = nowMs - peer.receivedAtMs;
      if (silentMs >= this.limits.presenceForgetAfterMs) this.remove(peer.replicaId, 'forgotten');
      else if (silentMs >= this.limits.presenceSilentAfterMs) {
        if (!peer.silent) this.onEvent(peer.replicaId, 'silent');
        peer.silent = true;
      } else if (this.mayQuery(peer)) ask.push(peer.replicaId);
    }
    return ask;
  }

  private peerOf(replicaId: ReplicaId): Peer | undefined {
    const known = this.peers.get(replicaId);
    if (known !== undefined) return known;
    if (this.peers.size >= MAX_REPLICAS) return undefined;
    const peer: Peer = {
      replicaId,
      nodes: new ReplicaNodes(replicaId, this.index),
      instanceId: null,
      receivedAtMs: this.clock.monotonicMs(),
      silent: false,
      draining: false,
      linkAddress: null,
      // Before the heartbeat of a replica that has not told anything yet.
      sequence: -1,
      complete: false,
      parts: null,
      queryAfterMs: -Infinity,
      retryMs: FIRST_RETRY_MS,
    };
    this.peers.set(replicaId, peer);
    this.joined += 1;
    this.onEvent(replicaId, 'joined');
    return peer;
  }

  private onMessage(peer: Peer): void {
    peer.receivedAtMs = this.clock.monotonicMs();
    if (peer.silent) this.onEvent(peer.replicaId, 'returned');
    peer.silent = false;
  }

  private complete(peer: Peer, sequence: number, entries: readonly NodeEntry[]): void {
    peer.nodes.replaceBy(entries);
    peer.sequence = sequence;
    peer.complete = true;
    peer.parts = null;
    peer.retryMs = FIRST_RETRY_MS;
  }

  /** Limits how often one replica is asked: a snapshot of many nodes is much work for it. */
  private mayQuery(peer: Peer): boolean {
    const nowMs = this.clock.monotonicMs();
    if (peer.complete || nowMs < peer.queryAfterMs) return false;
    peer.queryAfterMs = nowMs + peer.retryMs;
    peer.retryMs = Math.min(2 * peer.retryMs, LONGEST_RETRY_MS);
    return true;
  }

  /** A process on the data directory of another one has taken its place. */
  private replaceOthers(replicaId: ReplicaId, instanceId: InstanceId): void {
    if (this.peers.get(replicaId)?.instanceId === instanceId) return;
    for (const other of [...this.peers.values()]) {
      if (other.instanceId !== instanceId || other.replicaId === replicaId) continue;
      this.remove(other.replicaId, 'replaced');
      this.gone.set(other.replicaId, true);
    }
  }

  private isGone(replicaId: ReplicaId): boolean {
    return this.gone.get(replicaId) === true;
  }

  private remove(replicaId: ReplicaId, event: ReplicaEvent): void {
    const peer = this.peers.get(replicaId);
    if (peer === undefined) return;
    peer.nodes.clear();
    this.peers.delete(replicaId);
    this.onEvent(replicaId, event);
  }
}

const isEligible = ({ silent, draining }: Peer): boolean => !silent && !draining;
