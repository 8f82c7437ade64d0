import type { AccountId, ApiKeyId, NodeId } from '../../../kernel/ids.js';
import { LinkUnavailableError } from '../../../link/link-errors.js';
import type { EndMessage, HeadMessage, RejectReason, ResetReason } from '../../../link/messages.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { Placement } from '../../inventory/model-entry.js';
import { toFerryError } from '../../platform/http/errors/to-ferry-error.js';
import type { TimerHandle } from '../../platform/timing/timer-wheel.js';
import { nextToken } from '../admission/request-token.js';
import type { SlotHolder } from '../admission/waiting.js';
import type { HealthVerdict } from '../../nodes/health/health-verdict.js';
import { Attempt, type AttemptOwner } from './attempt.js';
import type { LeavingReason } from './request-lifecycle-listener.js';
import type { ObservedRequest } from './routed-request.js';
import type { Failover } from './failover.js';
import { outcomeOf, lossOutcome, notTaken } from './node-failure.js';
import { endedBecause, type RequestEnd, verdictOf } from './outcome.js';
import { releaseAttempt } from './release-attempt.js';
import { slotAt } from '../selection/capacity.js';
import type { Finding } from '../selection/placement-finder.js';
import type { Hedging } from './hedge-budget.js';
import type { RoutingContext } from './routing-context.js';

/** The request, as seen by its hedge. */
export interface HedgedRequest extends ObservedRequest, SlotHolder {
  readonly failover: Failover;
  /** Placement of the first attempt; null: none. */
  readonly placement: Placement | null;
  /** @throws FerryError when no node is eligible */
  find(excluded: ReadonlySet<NodeId>): Finding;
  /** Sends its prompt to one more node. @throws LinkUnavailableError */
  open(attempt: Attempt): void;
  /** The hedge has the first event: it becomes the request's attempt. */
  overtaken(head: HeadMessage): void;
}

/**
 * A hedge: the second attempt of a request whose first event is late. It waits for that moment, takes a free slot and never queues; when
 * one of the two responses, it is dropped or becomes the request's attempt. The request owns it: it holds a slot, a stream and a timer, and
 * {@link drop} or {@link handOver} releases all three.
 */
export class Hedge implements AttemptOwner, ObservedRequest, SlotHolder {
  readonly isHedge = true;
  readonly token = nextToken();
  private attempt: Attempt | null = null;
  private acknowledgedYet = false;
  /** Until the request is late; then the acknowledgement deadline of the second node. */
  private readonly timer: TimerHandle;

  private constructor(
    private readonly request: HedgedRequest,
    private readonly context: RoutingContext,
    private readonly hedging: Hedging,
    delayMs: number,
  ) {
    this.timer = context.timers.schedule(delayMs, () => {
      if (this.attempt === null) this.dispatch();
      else this.fail(notTaken(), 'timed_out');
    });
  }

  /** For a request that has just been dispatched; null: no hedge. */
  static of(request: HedgedRequest, context: RoutingContext, hedging: Hedging): Hedge | null {
    if (request.failover.attempts === 1) hedging.budget.earn(request.accountId);
    // A continuation is bound to its node, and a prompt runs at most twice.
    if (request.routed.query.continuation !== undefined || request.failover.retried) return null;
    const lateInMs = hedging.lateInMs(request);
    return lateInMs === null ? null : new Hedge(request, context, hedging, Math.max(lateInMs, hedging.afterMs));
  }

  get listenerState(): object | undefined {
    return this.request.listenerState;
  }

  set listenerState(kept: object | undefined) {
    this.request.listenerState = kept;
  }

  get routed(): ObservedRequest['routed'] {
    return this.request.routed;
  }

  get timeline(): ObservedRequest['timeline'] {
    return this.request.timeline;
  }

  get accountId(): AccountId {
    return this.request.accountId;
  }

  /** The slot time of the hedge is charged to this key. */
  get keyPublicId(): ApiKeyId {
    return this.request.routed.keyPublicId;
  }

  /** A second node runs the request. */
  get running(): boolean {
    return this.attempt !== null;
  }

  get acknowledgedByNode(): boolean {
    return this.acknowledgedYet;
  }

  /** The first attempt is over: a hedge that has not started never will. */
  disarm(): void {
    if (this.attempt === null) this.timer.cancel();
  }

  /** Releases the slot; the caller takes it in the same turn. */
  handOver(owner: AttemptOwner): Attempt | null {
    const { attempt } = this;
    this.timer.cancel();
    this.attempt = null;
    attempt?.handOver(owner);
    this.context.occupancy.move(this.token, null);
    return attempt;
  }

  /** Idempotent. @returns where a slot was released; the caller then wakes the queue */
  drop(
    reset: ResetReason | null,
    why: LeavingReason,
    detail: string,
    verdict: HealthVerdict = 'none',
  ): Placement | null {
    const { attempt, context } = this;
    this.timer.cancel();
    if (attempt === null) return null;
    this.attempt = null;
    try {
      context.lifecycle.left(this, why, detail);
    } finally {
      // The usage of the loser is not counted: a request is metered once.
      releaseAttempt(this, attempt, { reset, verdict, metered: null }, context);
    }
    return attempt.placement;
  }

  acknowledged(): void {
    this.acknowledgedYet = true;
    this.timer.cancel();
  }

  refused(reason: RejectReason): void {
    if (this.attempt === null) return;
    const { placement } = this.attempt;
    this.request.failover.hedgeRefused(placement.node.nodeId, reason);
    this.hedging.budget.giveBack(this.request.accountId);
    if (reason === 'busy') this.context.busyCooldown.mark(this.request.accountId, slotAt(placement));
    this.slotFreedAt(this.drop(null, 'refused', reason));
  }

  begun(head: HeadMessage): void {
    this.request.overtaken(head);
  }

  /** Nothing arrives before `begun`; afterwards the request is the stream's handler. */
  received(): void {
    return;
  }

  finished(end: EndMessage): void {
    // The prompt does not fit there; nothing was run.
    if (end.failure?.context_overflow != null) this.refused('unsupported');
    else this.fail(outcomeOf(end, this.routed.query.dialect), null);
  }

  lost(loss: RelayStreamLoss): void {
    this.fail(lossOutcome(loss), null);
  }

  /** The first attempt continues as the last one: the hedge may have run the prompt. */
  private fail(outcome: RequestEnd, reset: ResetReason | null): void {
    if (this.attempt === null) return;
    this.request.failover.hedgeLost(this.attempt.placement.node.nodeId, outcome);
    this.slotFreedAt(this.drop(reset, 'lost', outcome.error?.code ?? outcome.outcome, verdictOf(outcome)));
  }

  private slotFreedAt(placement: Placement | null): void {
    if (placement !== null) this.context.waker.slotFreed(this.request.accountId, slotAt(placement));
  }

  private dispatch(): void {
    const { request, context, hedging } = this;
    const { accountId, failover } = request;
    if (!hedging.budget.has(accountId)) return;
    const found = this.find();
    if (found?.kind !== 'free') return;
    hedging.budget.take(accountId);
    const { placement, decision } = found;
    const attempt = new Attempt(placement, this, context.clock.monotonicMs());
    this.attempt = attempt;
    context.occupancy.move(this.token, slotAt(placement));
    failover.hedgeAsked();
    context.lifecycle.decided(this, decision);
    context.lifecycle.sent(this, found);
    context.health.started(placement, attempt);
    this.timer.restart(context.limits.acceptTimeoutMs);
    try {
      request.open(attempt);
    } catch (error) {
      if (error instanceof LinkUnavailableError) this.refused(error.reason === 'full' ? 'busy' : 'draining');
      else this.fail(endedBecause('failed', toFerryError(error)), null);
    }
  }

  /** A healthy placement with a free slot on another node; null: none. */
  private find(): Finding | null {
    const { request, context } = this;
    const { placement, failover } = request;
    if (placement === null) return null;
    const excluded = new Set<NodeId>(failover.excluded).add(placement.node.nodeId);
    try {
      const found = request.find(excluded);
      if (found.kind !== 'free') return null;
      const { node, report } = found.placement;
      return context.health.stateOf(node.nodeId, report.key) === 'healthy' ? found : null;
    } catch {
      // No node is eligible any more: the first attempt continues alone.
      return null;
    }
  }
}
