import type { Clock } from '../../../kernel/clock.js';
import type { HeadMessage } from '../../../link/messages.js';
import type { NodeHealth } from '../../nodes/health/node-health.js';
import type { Attempt } from './attempt.js';
import type { RequestLifecycleListener, ObservedRequest } from './request-lifecycle-listener.js';
import type { RequestDeadlines } from './request-deadlines.js';
import type { RequestTimeline } from './request-timeline.js';
import { reportStall, type Neighbour, type Stalls } from './stall.js';

interface AwaitingRequest extends ObservedRequest, Neighbour {
  readonly timeline: RequestTimeline;
}

interface FirstEventContext<Request> extends Stalls<Request> {
  readonly health: Pick<NodeHealth, 'stalled' | 'begun'>;
  readonly clock: Clock;
  readonly lifecycle: RequestLifecycleListener;
}

/** From the acknowledgement of a node to the first event of its engine. Keep-alive events of the node are none. */
export class FirstEventWatch<Request extends AwaitingRequest> {
  constructor(
    private readonly request: Request,
    private readonly deadlines: RequestDeadlines,
    private readonly context: FirstEventContext<Request>,
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
