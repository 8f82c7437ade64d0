import type { AccountId, ApiKeyId, NodeId } from '../../../kernel/ids.js';
import type { EndMessage, HeadMessage, RejectReason, ResetReason } from '../../../link/messages.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { ClusterScope } from '../../inventory/cluster-scope.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { HealthVerdict } from '../../nodes/health/health-verdict.js';
import { nextToken } from '../admission/request-token.js';
import { slotAt } from '../selection/capacity.js';
import type { Finding, FreePlacement } from '../selection/placement-finder.js';
import { Attempt } from './attempt.js';
import { Failover, type Declined } from './failover.js';
import { Hedge, type HedgedRequest } from './hedge.js';
import { releaseAttempt, type Metered } from './release-attempt.js';
import { RequestTimeline } from './request-timeline.js';
import type { RoutedRequest } from './routed-request.js';
import type { RoutingContext } from './routing-context.js';

/**
 * The attempt of a request and its hedge, each with a slot and a stream, and the take-over of one by the other. A base class instead of an
 * object of its own, because every request has exactly one.
 */
export abstract class RequestAttempts implements HedgedRequest {
  /** Tables refer to the request by this key. */
  readonly token = nextToken();
  readonly accountId: AccountId;
  readonly keyPublicId: ApiKeyId;
  readonly failover: Failover;
  readonly timeline: RequestTimeline;
  listenerState: object | undefined = undefined;
  /** The node that has the request now; with it goes the slot. */
  protected attempt: Attempt | null = null;
  /** The hedge, if there may be one. */
  private hedge: Hedge | null = null;

  constructor(
    readonly routed: RoutedRequest,
    protected readonly context: RoutingContext,
  ) {
    this.accountId = routed.accountId;
    this.keyPublicId = routed.keyPublicId;
    this.failover = new Failover(context.limits.maxRejectRepicks, routed.query.dialect);
    this.timeline = new RequestTimeline(context.clock);
  }

  get scope(): ClusterScope {
    return this.routed.query.scope;
  }

  get placement(): Placement | null {
    return this.attempt?.placement ?? null;
  }

  find(excluded: ReadonlySet<NodeId> = this.failover.excluded): Finding {
    const { query, profile } = this.routed;
    return this.context.finder.find(this.accountId, query, excluded, profile, this.failover.neededTokens);
  }

  get receivedEvents(): number | null {
    return this.attempt?.receivedEvents ?? null;
  }

  abstract open(attempt: Attempt): void;
  abstract acknowledged(): void;
  abstract refused(reason: RejectReason): void;
  abstract begun(head: HeadMessage): void;
  abstract received(bytes: Uint8Array): void;
  abstract finished(end: EndMessage): void;
  abstract lost(loss: RelayStreamLoss): void;
  /** The node has the request no more. Where the request continues, a caller asks another node or follows the hedge. */
  protected abstract leaveNode(reset: ResetReason | null, verdict: HealthVerdict, metered: boolean): boolean;
  /** The hedge is the attempt now. */
  protected abstract tookOver(acknowledged: boolean): void;

  /** Takes the slot. Nothing may run between the finding of a free slot and here, so it is still free. */
  protected take(found: FreePlacement): Attempt {
    const { placement } = found;
    const attempt = new Attempt(placement, this, this.timeline.dispatched());
    this.assign(attempt);
    this.failover.sent(placement);
    this.context.lifecycle.sent(this, found);
    return attempt;
  }

  /** After {@link take}: a second node may be asked when this one is late. */
  protected allowHedge(): void {
    const { hedging } = this.context;
    if (hedging !== null) this.hedge = Hedge.of(this, this.context, hedging);
  }

  /** A second node runs the request. */
  protected get isHedged(): boolean {
    return this.hedge?.running === true;
  }

  /** The first event of the hedge came first. */
  overtaken(head: HeadMessage): void {
    if (this.hedge === null || this.attempt === null) return;
    const { placement } = this.attempt;
    this.context.lifecycle.left(this, 'overtaken', 'other_node_first');
    this.leaveNode('failed_over', 'none', false);
    this.followHedge();
    this.begun(head);
    this.slotFreedAt(placement);
  }

  /** The hedge is the only attempt left: it replaces the first one, including the slot. */
  protected followHedge(): void {
    const { hedge } = this;
    const attempt = hedge?.handOver(this) ?? null;
    if (hedge === null || attempt === null) return;
    this.hedge = null;
    this.assign(attempt);
    this.failover.hedgeTookOver(attempt.placement);
    this.context.lifecycle.followed(this, hedge);
    this.tookOver(hedge.acknowledgedByNode);
  }

  /** Idempotent. @returns where a slot was released; the caller then wakes the queue */
  protected dropHedge(reset: ResetReason, why: 'overtaken' | 'stopped', detail: string): Placement | null {
    return this.hedge?.drop(reset, why, detail) ?? null;
  }

  /** Wakes the requests that may use the slot which was released there. */
  protected slotFreedAt(placement: Placement): void {
    this.context.waker.slotFreed(this.accountId, slotAt(placement));
  }

  /**
   * Releases the attempt and its slot. The caller wakes the queue afterwards.
   * @param metered null: usage reported after a reset is not metered for this request
   * @returns whether the node will report that usage
   */
  protected release(reset: ResetReason | null, verdict: HealthVerdict, metered: Metered | null): boolean {
    const { attempt } = this;
    if (attempt === null) return false;
    this.attempt = null;
    this.hedge?.disarm();
    return releaseAttempt(this, attempt, { reset, verdict, metered }, this.context);
  }

  /** Null unless the engine has refused the request and computed nothing. */
  protected declinedByEngine(failure: EndMessage['failure']): (Declined & { readonly placement: Placement }) | null {
    if (failure === null || this.attempt === null) return null;
    const { placement } = this.attempt;
    const declined = this.failover.declinedBy(placement, failure);
    // Before another request tries the slot that seems free now.
    if (declined?.reason === 'busy') this.context.busyCooldown.mark(this.accountId, slotAt(placement));
    return declined && { ...declined, placement };
  }

  private assign(attempt: Attempt): void {
    const { placement } = attempt;
    this.attempt = attempt;
    this.context.occupancy.move(this.token, slotAt(placement));
    this.routed.context.nodeId = placement.node.nodeId;
    this.routed.context.clusterId = placement.node.clusterId;
  }
}
