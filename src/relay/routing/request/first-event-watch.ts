import type { NodeId } from '../../../kernel/ids.js';
import type { HeadMessage } from '../../../link/messages.js';
import type { Attempt } from './attempt.js';
import type { LiveRequest } from './live-requests.js';
import type { RequestDeadlines } from './request-deadlines.js';
import type { RoutingContext } from './routing-context.js';

/** From the acknowledgement of a node to the first event of its engine. Keep-alive events of the node are none. */
export class FirstEventWatch {
  constructor(
    private readonly request: LiveRequest,
    private readonly deadlines: RequestDeadlines,
    private readonly context: RoutingContext,
  ) {}

  acknowledged(): void {
    this.deadlines.watchFirstEvent(this.context.stallInMs(this.request));
  }

  /**
   * The event is late: other requests avoid the node, if it is stalled, while this one waits on.
   * @returns false: it has waited long enough
   */
  late(attempt: Attempt): boolean {
    if (this.deadlines.firstEventLeftMs <= 0) return false;
    const stallInMs = reportStall(this.request, attempt, this.context);
    this.deadlines.watchFirstEvent(stallInMs > 0 ? stallInMs : null);
    return true;
  }

  /** The client sees events from here on, so no other node can take over. */
  begun({ awaiting_output: keepAlive }: HeadMessage, attempt: Attempt | null): void {
    const { request, context } = this;
    if (keepAlive === true) {
      request.routed.context.firstByteAtMs = context.clock.monotonicMs();
      if (attempt !== null) reportStall(request, attempt, context);
      return;
    }
    request.routed.context.firstByteAtMs = request.timeline.firstEvent();
    if (attempt !== null) context.health.begun(attempt.placement);
    context.lifecycle.begun(request);
  }
}

/**
 * Milliseconds until the node of a request without an event is stalled; Infinity: unknown. A node that streams anything else is not: such
 * streams are looked for only now that the request is late, so that nothing has to be written down for each of their events.
 */
function stallLeftMs(request: LiveRequest, nodeId: NodeId, { live, limits, stallInMs }: RoutingContext): number {
  let leftMs = stallInMs(request) ?? Infinity;
  for (const { placement, silentMs } of live) {
    if (silentMs !== null && placement?.node.nodeId === nodeId)
      leftMs = Math.max(leftMs, limits.healthStallMs - silentMs);
  }
  return leftMs;
}

/** Reports the node of a request without an event as stalled, if it is. @returns milliseconds until it is; 0 or less: reported */
function reportStall(request: LiveRequest, attempt: Attempt, context: RoutingContext): number {
  const leftMs = stallLeftMs(request, attempt.placement.node.nodeId, context);
  if (leftMs <= 0) context.health.stalled(attempt.placement, attempt.startedAtMs, attempt);
  return leftMs;
}
