import { Observable, type Subscriber } from 'rxjs';
import type { ErrorCode } from '../../../kernel/errors/error-catalogue.js';
import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ModelSelector } from '../../../kernel/ids.js';
import { LinkUnavailableError } from '../../../link/link-errors.js';
import type { EndMessage, HeadMessage, RejectReason, ResetReason } from '../../../link/messages.js';
import type { RelayStreamLoss } from '../../../link/stream/relay-stream.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { ResponseReader, ResponseSource } from '../../platform/http/response-source.js';
import { toFerryError } from '../../platform/http/errors/to-ferry-error.js';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import type { ModelHost, Waiting } from '../admission/waiting.js';
import { noCachedPrompt, type CachedPrompt } from '../affinity/affinity-cache.js';
import { isFailure, type HealthVerdict } from '../../nodes/health/health-verdict.js';
import { NOT_LISTED, type LiveRequest } from './live-requests.js';
import type { Attempt } from './attempt.js';
import { FirstEventWatch } from './first-event-watch.js';
import type { RoutingContext } from './routing-context.js';
import { RequestPrompt, type RoutedRequest, type RoutedRequestBody } from './routed-request.js';
import { outcomeOf, lossOutcome, notTaken, timedOut } from './node-failure.js';
import { endedBecause, isOfNodes, type RequestEnd, verdictOf } from './outcome.js';
import { reportOf } from './outcome-report.js';
import { slotAt } from '../selection/capacity.js';
import type { FreePlacement, FullNodes } from '../selection/placement-finder.js';
import { QueueTicket } from './queue-ticket.js';
import { responseHeaders } from './response-headers.js';
import { RequestAllowance } from './request-allowance.js';
import { RequestAttempts } from './request-attempts.js';
import { RequestDeadlines } from './request-deadlines.js';

/** `dispatched`: a node was asked · `acknowledged`: it has taken a slot · `answering`: its first event is here · `over`: final. */
type State = 'accepted' | 'queued' | 'dispatched' | 'acknowledged' | 'answering' | 'over';

/**
 * The one owner of a request: its place in the queue, its slot, its timers, its stream on the link and its response
 * (docs/reference/request-lifecycle.md#one-owner-per-request). {@link end} runs exactly once, and nothing reaches the client or a
 * node after it.
 */
export class InferenceRequest extends RequestAttempts implements ResponseSource, Waiting, LiveRequest {
  readonly bytes$ = new Observable<Uint8Array>((subscriber) => {
    this.start(subscriber);
    return () => {
      this.end({ outcome: 'cancelled', error: null, reset: 'cancelled', usage: null });
    };
  });

  listIndex = NOT_LISTED;
  private state: State = 'accepted';
  private subscriber: Subscriber<Uint8Array> | null = null;
  private responseReader: ResponseReader | null = null;
  private readonly prompt: RequestPrompt;
  /** The attempt whose response the client gets; kept after its end for the final chunk and the report. */
  private answered: Attempt | null = null;
  /** Empty until the node has begun: a stream whose head is sent before that goes without these headers. */
  private responseHeaders: Readonly<Record<string, string>> = {};
  /** The first event of a stream has passed. */
  private streams = false;
  private readonly allowance: RequestAllowance;
  private readonly deadlines: RequestDeadlines;
  private readonly firstEvent: FirstEventWatch;
  private readonly ticket: QueueTicket;
  /** Where its prompt was in memory when it was last looked for a place. */
  private cachedPrompt: CachedPrompt = noCachedPrompt;

  /** @param arrival counts requests; smaller came earlier. */
  constructor(
    routed: RoutedRequest,
    body: RoutedRequestBody,
    readonly arrival: number,
    context: RoutingContext,
  ) {
    super(routed, context);
    this.prompt = new RequestPrompt(routed, body);
    this.ticket = new QueueTicket(this, this.timeline, context);
    this.allowance = new RequestAllowance(context.rateLimits);
    this.deadlines = new RequestDeadlines(context, routed.stream, this.timeline, () => {
      this.onDeadline();
    });
    this.firstEvent = new FirstEventWatch(this, this.deadlines, context);
  }

  atBoundary(): boolean {
    return this.answered?.atBoundary ?? true;
  }

  contentLength(): number | null {
    return this.answered?.contentLength ?? null;
  }

  get responseBytes(): number {
    return this.answered?.receivedBytes ?? 0;
  }

  headers(): Readonly<Record<string, string>> {
    return this.responseHeaders;
  }

  consumed(bytes: number): void {
    this.answered?.consumed(bytes);
  }

  /** Ends it from outside: the relay drains, the key was revoked. Idempotent. */
  abort(outcome: 'failed' | 'cancelled', code: ErrorCode, message: string, reset: ResetReason): void {
    const error = new FerryError(code, message, this.failover.reachedNode ? { shouldRetry: false } : {});
    this.end(endedBecause(outcome, error, reset));
  }

  /** In the queue; no node has it. */
  get waiting(): boolean {
    return this.state === 'queued';
  }

  /** Queued, or on its way to a node that may still refuse it. */
  waits(): boolean {
    return this.waiting || this.state === 'accepted' || this.state === 'dispatched';
  }

  cachedPromptTokensOn(node: ModelHost, selector: ModelSelector): number {
    return this.cachedPrompt.tokensOn(node, selector);
  }

  tryStart(): boolean {
    if (this.state !== 'queued') return false;
    this.place();
    return this.attempt !== null;
  }

  private start(subscriber: Subscriber<Uint8Array>): void {
    if (this.subscriber !== null) throw new Error('the response of a request can be read only once');
    this.subscriber = subscriber;
    this.admit(false);
  }

  /** @param asked other replicas were asked, because a limit could not decide alone */
  private admit(asked: boolean): void {
    const responses = this.context.rateLimits.queryFirst(this.routed, asked);
    if (responses !== null) {
      void responses.then(() => {
        if (this.state === 'accepted') this.admit(true);
      });
      return;
    }
    const closed = this.context.gate(this.routed) ?? this.allowance.take(this.routed, this.prompt.bytes);
    if (closed !== null) this.end(endedBecause('rejected', closed));
    else {
      this.responseHeaders = this.allowance.headers;
      this.context.live.add(this);
      this.place();
    }
  }

  /** Dispatches, queues or ends the request. */
  private place(): void {
    try {
      const found = this.find();
      this.context.lifecycle.decided(this, found.decision);
      this.ticket.obstacle = null;
      this.routed.context.model = this.routed.query.model;
      if (found.kind === 'free') this.dispatch(found);
      else if (found.kind === 'full') this.enqueue(found);
      else this.end(this.failover.nothingLeft(found.decision));
    } catch (error) {
      this.unplaceable(toFerryError(error));
    }
  }

  private unplaceable(error: FerryError): void {
    this.context.lifecycle.undecided(this, error);
    const mayComeBack = error.code === 'no_node_for_user' || this.ticket.awaitsNodes;
    // A queued request keeps waiting for a node that may come back.
    if ((this.state === 'queued' && mayComeBack) || this.awaitNodes(error)) this.ticket.obstacle = error;
    else this.end(this.failover.unplaced(endedBecause(error.status === 500 ? 'failed' : 'rejected', error)));
  }

  /** @returns false where the error is final, as it nearly always is */
  private awaitNodes({ code }: FerryError): boolean {
    if (this.state !== 'accepted' || this.failover.reachedNode || !isOfNodes(code)) return false;
    const leftMs = this.ticket.awaitNodes();
    if (leftMs === null) return false;
    this.state = 'queued';
    this.deadlines.watch(leftMs);
    return true;
  }

  private enqueue({ selector, cachedPrompt: cached }: FullNodes): void {
    this.cachedPrompt = cached;
    if (this.state === 'queued' && !this.ticket.awaitsNodes) return;
    const leftMs = this.ticket.join(selector);
    if (leftMs === null) this.giveUpWaiting();
    else {
      this.state = 'queued';
      this.context.lifecycle.queued(this, this.context.queue.position(this, selector));
      this.deadlines.watch(leftMs);
    }
  }

  private giveUpWaiting(): void {
    this.end(this.failover.unplaced(endedBecause('rejected', this.ticket.refusal)));
  }

  private dispatch(found: FreePlacement): void {
    this.ticket.leave();
    this.state = 'dispatched';
    const attempt = this.take(found);
    this.deadlines.watch(this.context.limits.acceptTimeoutMs);
    this.deadlines.limitWhole(() => {
      this.end(endedBecause('timed_out', timedOut('The response took too long.'), 'timed_out'));
    });
    this.context.health.started(found.placement, attempt);
    try {
      this.open(attempt);
      if (this.attempt === attempt) this.allowHedge();
    } catch (error) {
      if (error instanceof LinkUnavailableError) this.refused(error.reason === 'full' ? 'busy' : 'draining');
      else this.end(endedBecause('failed', toFerryError(error)));
    }
  }

  open(attempt: Attempt): void {
    this.prompt.open(attempt, this.deadlines);
  }

  acknowledged(): void {
    this.state = 'acknowledged';
    this.firstEvent.acknowledged();
  }

  /** Time since its last event; null when it has none yet but the node's own, or is over. */
  get silentMs(): number | null {
    return this.state === 'answering' && this.timeline.firstEventMs !== null ? this.deadlines.silentMs : null;
  }

  refused(reason: RejectReason): void {
    if (this.attempt === null) return;
    const { placement } = this.attempt;
    const mayAskAnother = this.failover.refused(placement.node.nodeId, reason, this.timeline.totalMs);
    // Before another request tries the slot that seems free now.
    if (reason === 'busy') this.context.busyCooldown.mark(this.accountId, slotAt(placement));
    this.declined(placement, reason, mayAskAnother);
  }

  /** The node has done nothing with the request: another one is asked for free. */
  private declined(placement: Placement, reason: string, mayAskAnother: boolean): void {
    this.context.lifecycle.left(this, 'refused', reason);
    this.leaveNode(null, 'none', false);
    if (this.isHedged) this.followHedge();
    else if (mayAskAnother) this.place();
    else this.end(this.failover.exhausted);
    this.slotFreedAt(placement);
  }

  protected tookOver(acknowledged: boolean): void {
    this.state = 'dispatched';
    if (acknowledged) this.acknowledged();
    else this.deadlines.watch(this.context.limits.acceptTimeoutMs);
  }

  begun(head: HeadMessage): void {
    this.state = 'answering';
    this.firstEvent.begun(head, this.attempt);
    this.answered = this.attempt;
    this.responseHeaders = responseHeaders(this, head, this.allowance.headers, this.context);
    // From here on no other node can answer, so the prompt is not needed again.
    this.prompt.release();
    this.deadlines.watch(this.context.limits.eventIdleTimeoutMs);
    const freed = this.dropHedge('failed_over', 'overtaken', 'other_node_first');
    if (freed !== null) this.slotFreedAt(freed);
  }

  reader(reader: ResponseReader): void {
    this.responseReader = reader;
  }

  readAhead(): number {
    const stopped = this.subscriber?.closed === true ? 1 : 0;
    return stopped + this.deadlines.readAhead() + (this.responseReader?.readAhead() ?? 0);
  }

  /** The hot path: bytes pass as they are, nothing is allocated. */
  received(bytes: Uint8Array): void {
    const gapMs = this.deadlines.extend();
    if (this.streams) processMeters.eventGap.observe(gapMs);
    else this.streams = this.routed.stream;
    this.subscriber?.next(bytes);
  }

  finished(end: EndMessage): void {
    const declined = this.state === 'answering' ? null : this.declinedByEngine(end.failure);
    if (declined !== null) {
      this.declined(declined.placement, declined.reason, declined.mayTryAnother);
      return;
    }
    const outcome = outcomeOf(end, this.routed.query.dialect);
    if (this.attempt !== null) this.timeline.firstEventWas(this.attempt.startedAtMs, end.timings.first_event_ms);
    // The node failed, not the request: the hedge may succeed.
    if (this.isHedged && isFailure(verdictOf(outcome))) this.fail(outcome, null);
    else this.end(outcome);
  }

  lost(loss: RelayStreamLoss): void {
    this.fail(lossOutcome(loss), null);
  }

  /** The node did not do it. One second run, and none once the client has seen an event: two responses must never be spliced. */
  private fail(outcome: RequestEnd, resetIfLast: ResetReason | null): void {
    if (this.attempt === null) return;
    const { placement } = this.attempt;
    if (this.state === 'answering' || (!this.failover.lost(placement.node.nodeId, outcome) && !this.isHedged)) {
      this.end({ ...outcome, reset: resetIfLast });
      return;
    }
    this.context.lifecycle.left(this, 'lost', outcome.error?.code ?? outcome.outcome);
    this.leaveNode(resetIfLast === null ? null : 'failed_over', verdictOf(outcome), false);
    if (this.isHedged) this.followHedge();
    else this.place();
    this.slotFreedAt(placement);
  }

  private onDeadline(): void {
    switch (this.state) {
      case 'queued':
        this.giveUpWaiting();
        return;
      case 'dispatched':
        this.fail(notTaken(), 'timed_out');
        return;
      case 'acknowledged':
        if (this.attempt !== null && this.firstEvent.late(this.attempt)) return;
        this.end(endedBecause('timed_out', timedOut('The engine produced no output in time.'), 'timed_out'));
        return;
      case 'answering':
        // A node without credit must be silent; a client that does not read is cut off elsewhere, and sooner.
        if (this.answered?.hasUnsentBytes === true) this.deadlines.extend();
        else
          this.end(
            endedBecause(
              'timed_out',
              timedOut('The engine stopped responding in the middle of the response.'),
              'timed_out',
            ),
          );
        return;
      case 'accepted':
      case 'over':
        return;
      default:
        this.state satisfies never;
    }
  }

  protected leaveNode(reset: ResetReason | null, verdict: HealthVerdict, metered: boolean): boolean {
    if (this.state !== 'over') this.state = 'accepted';
    const usage = metered ? { requestId: this.routed.context.requestId, permit: this.allowance.permit } : null;
    return this.release(reset, verdict, usage);
  }

  /**
   * The only exit: everything that the request holds is released here, then client and metering are notified, once. `over` comes first, and
   * each step follows also when the one before it throws: nothing can end a request twice, and no error of a listener keeps a slot.
   */
  private end(outcome: RequestEnd): void {
    if (this.state === 'over') return;
    this.ticket.leave();
    this.state = 'over';
    this.routed.context.outcome = outcome.outcome;
    const freed = [this.placement];
    let usagePending = false;
    try {
      freed.push(this.dropHedge(outcome.reset ?? 'cancelled', 'stopped', outcome.outcome));
    } finally {
      try {
        this.context.lifecycle.ended(this, outcome);
      } finally {
        try {
          usagePending = this.leaveNode(outcome.reset, verdictOf(outcome), true);
        } finally {
          this.settle(outcome, freed, usagePending);
        }
      }
    }
  }

  private settle(outcome: RequestEnd, freed: readonly (Placement | null)[], usagePending: boolean): void {
    this.deadlines.cancel();
    this.context.live.delete(this);
    try {
      this.prompt.release();
      this.allowance.settle(outcome, this.failover.reachedNode);
    } finally {
      try {
        if (outcome.error !== null) this.subscriber?.error(outcome.error);
        else if (outcome.outcome === 'completed') this.subscriber?.complete();
        for (const placement of freed) if (placement !== null) this.slotFreedAt(placement);
      } finally {
        this.context.outcomes.record(reportOf(this.routed, outcome, this, usagePending));
      }
    }
  }
}
