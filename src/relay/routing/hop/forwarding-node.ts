import type { Clock } from '../../../kernel/clock.js';
import type { AccountId, ClusterId, NodeId, ReplicaId } from '../../../kernel/ids.js';
import { LinkUnavailableError } from '../../../link/link-errors.js';
import type { EndMessage, HeadMessage, OpenMessage, RejectMessage, StatusMessage } from '../../../link/messages.js';
import type { RelayLinkSession } from '../../../link/session/relay-session.js';
import type { RelayLinkStream, RelayStreamHandler, RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { CheckedResponse } from '../../nodes/registry/checked-response.js';
import type { OnlineNode, ReportedModel } from '../../nodes/registry/online-node.js';
import { engineNumber, noLoads, type EngineLoads } from '../../replicas/presence/engine-loads.js';
import type { RemoteNode } from '../../replicas/presence/remote-nodes.js';
import type { NodeFacts } from './node-facts.js';

/** A replica that refused a request for the node as stale: its presence follows within a batch, or it has gone. */
const STALE_MS = 2_000;
/** Before the first ping of a link was answered. */
const UNKNOWN_ROUND_TRIP_MS = 50;

export interface Routes {
  readonly clock: Clock;
  /** Added to the predicted time of every request. */
  readonly costMs: number;
  /** The node at each replica that has it now. */
  places(accountId: AccountId, nodeId: NodeId): readonly RemoteNode[];
  sessionTo(replicaId: ReplicaId): RelayLinkSession | null;
}

/** A node that only other replicas have a link to. Requests for it go to one of them. */
export class ForwardingNode implements OnlineNode {
  readonly isRemote = true;
  readonly hasReported = true;
  readonly nodeId: NodeId;
  readonly accountId: AccountId;
  readonly clusterId: ClusterId;
  readonly name: string;
  readonly models: ReadonlyMap<string, ReportedModel>;
  private statuses: Statuses;
  /** Monotonic. One entry for each replica that the node has a link to. */
  private readonly staleUntilMs = new Map<ReplicaId, number>();

  constructor(
    { nodeId, accountId, clusterId }: Pick<RemoteNode, 'nodeId' | 'accountId' | 'clusterId'>,
    private readonly facts: NodeFacts,
    private readonly routes: Routes,
  ) {
    this.nodeId = nodeId;
    this.accountId = accountId;
    this.clusterId = clusterId;
    this.name = facts.name;
    this.models = facts.models;
    this.statuses = statusesOf(facts, noLoads);
  }

  /** Presence tells only whether any slot is free, and what the engines do for others. A choice that is wrong is rejected at no cost. */
  get status(): StatusMessage {
    let isFree = false;
    // The node reports the same to each of its replicas, and one of the version before tells none.
    let loads = noLoads;
    for (const place of this.routes.places(this.accountId, this.nodeId)) {
      isFree ||= place.availability === 'free';
      if (loads.size === 0) ({ loads } = place);
    }
    // Read for each candidate of a request, and made only when a load has changed.
    if (loads !== this.statuses.loads) this.statuses = statusesOf(this.facts, loads);
    return isFree ? this.statuses.free : this.statuses.full;
  }

  get acceptsWork(): boolean {
    return this.best() !== null;
  }

  /** The limit of the replica with its link is not known here: it rejects the excess, at no cost. */
  get freeStreams(): number {
    return this.best()?.session.freeStreams ?? 0;
  }

  /** From this replica to the node and back, and what passing on costs. */
  get roundTripMs(): number {
    const { costMs } = this.routes;
    return (this.facts.roundTripMs ?? UNKNOWN_ROUND_TRIP_MS) + (this.best()?.session.roundTripMs ?? 0) + costMs;
  }

  open(head: OpenMessage, body: Buffer, handler: CheckedResponse): RelayLinkStream {
    const best = this.best();
    if (best === null) throw new LinkUnavailableError('closed');
    handler.validate(head);
    return best.session.open(
      { ...head, node_id: this.nodeId, hop: 1 },
      body,
      new ForwardedResponse(handler, () => {
        this.staleUntilMs.set(best.replicaId, this.routes.clock.monotonicMs() + STALE_MS);
      }),
    );
  }

  /** The replica with the fewest requests from here. */
  private best(): { readonly replicaId: ReplicaId; readonly session: RelayLinkSession } | null {
    let best: { readonly replicaId: ReplicaId; readonly session: RelayLinkSession } | null = null;
    for (const { replicaId, availability } of this.routes.places(this.accountId, this.nodeId)) {
      if (availability === 'unavailable' || this.isStale(replicaId)) continue;
      const session = this.routes.sessionTo(replicaId);
      if (session === null || (best !== null && best.session.openStreams <= session.openStreams)) continue;
      best = { replicaId, session };
    }
    return best;
  }

  private isStale(replicaId: ReplicaId): boolean {
    const untilMs = this.staleUntilMs.get(replicaId);
    if (untilMs === undefined) return false;
    if (this.routes.clock.monotonicMs() < untilMs) return true;
    this.staleUntilMs.delete(replicaId);
    return false;
  }
}

/** Learns from a refusal before the request chooses again. */
class ForwardedResponse implements RelayStreamHandler {
  constructor(
    private readonly handler: RelayStreamHandler,
    private readonly onStale: () => void,
  ) {}

  onAck(): void {
    this.handler.onAck();
  }

  onReject(message: RejectMessage): void {
    if (message.reason === 'stale') this.onStale();
    this.handler.onReject(message);
  }

  onHead(message: HeadMessage): void {
    this.handler.onHead(message);
  }

  onData(bytes: Buffer, atBoundary: boolean): void {
    this.handler.onData(bytes, atBoundary);
  }

  onEnd(message: EndMessage): void {
    this.handler.onEnd(message);
  }

  onLost(reason: RelayStreamLoss): void {
    this.handler.onLost(reason);
  }
}

interface Statuses {
  readonly loads: EngineLoads;
  readonly free: StatusMessage;
  readonly full: StatusMessage;
}

const statusesOf = (facts: NodeFacts, loads: EngineLoads): Statuses => ({
  loads,
  free: statusOf(facts, loads, false),
  full: statusOf(facts, loads, true),
});

const statusOf = ({ engines }: NodeFacts, loads: EngineLoads, full: boolean): StatusMessage => ({
  engines: engines.map((engine) => {
    const used = full ? engine.slots_total : 0;
    const { waiting = 0, foreign = 0 } = loads.get(engineNumber(engine.name)) ?? {};
    return {
      ...engine,
      slots_used: used,
      slots_used_elsewhere: used,
      queue_depth: waiting,
      ...(foreign === 0 ? {} : { foreign_requests: foreign }),
    };
  }),
  paused: false,
  draining: false,
  memory_free_bytes: null,
});
