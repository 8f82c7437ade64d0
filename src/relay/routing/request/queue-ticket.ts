import { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { ModelSelector } from '../../../kernel/ids.js';
import { processMeters } from '../../platform/metrics/relay-meters.js';
import { anyModel, type Waiting } from '../admission/waiting.js';
import type { RequestTimeline } from './request-timeline.js';
import type { RoutingContext } from './routing-context.js';

/** A request's stay in the admission queue, and the error when it ends without a slot. */
export class QueueTicket {
  /** Why the request cannot be placed just now, when that is something else than full nodes. */
  obstacle: FerryError | null = null;
  /** The model that it waits, or has waited, for a slot of. */
  private selector: ModelSelector | null = null;
  private waitsFor: 'slot' | 'nodes' | null = null;

  constructor(
    private readonly request: Waiting,
    private readonly timeline: RequestTimeline,
    private readonly context: RoutingContext,
  ) {}

  /** @returns the time that it may wait, in ms; null: it may not, or the queue is full */
  join(selector: ModelSelector): number | null {
    this.leave();
    const leftMs = this.context.limits.queueTimeoutMs - this.timeline.queuedMs;
    this.selector = selector;
    if (leftMs <= 0 || !this.context.queue.join(this.request, selector)) return null;
    this.waitsFor = 'slot';
    processMeters.waiting += 1;
    this.timeline.queued();
    return leftMs;
  }

  /**
   * Right after the start of the relay, nodes are still reconnecting: waits for one that can serve the request.
   * @returns the time that it may wait, in ms; null: the start is too long ago, or too many wait already
   */
  awaitNodes(): number | null {
    const { limits, startedAtMs, clock, queue } = this.context;
    const untilMs = startedAtMs + limits.nodesReturnWaitMs;
    const leftMs = Math.min(untilMs - clock.monotonicMs(), limits.queueTimeoutMs - this.timeline.queuedMs);
    if (leftMs <= 0 || !queue.join(this.request, anyModel)) return null;
    this.waitsFor = 'nodes';
    processMeters.waiting += 1;
    this.timeline.queued();
    return leftMs;
  }

  /** It waits for nodes to reconnect, and not for a slot. */
  get awaitsNodes(): boolean {
    return this.waitsFor === 'nodes';
  }

  /** Idempotent. */
  leave(): void {
    if (this.waitsFor === null) return;
    this.waitsFor = null;
    processMeters.waiting -= 1;
    this.context.queue.leave(this.request);
    this.timeline.leftQueue();
  }

  /** Why it got no slot. */
  get refusal(): FerryError {
    if (this.obstacle !== null) return this.obstacle;
    const { request, selector, context } = this;
    const seconds = selector === null ? undefined : context.queue.retryAfterSeconds(request.accountId, selector);
    return new FerryError('capacity', undefined, seconds === undefined ? {} : { retryAfterSeconds: seconds });
  }
}
