import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { RequestEnd } from '../request/outcome.js';
import type { LeavingReason, RequestLifecycleListener } from '../request/request-lifecycle-listener.js';
import type { ObservedRequest } from '../request/routed-request.js';
import type { Decision } from '../selection/decision.js';
import type { FreePlacement } from '../selection/placement-finder.js';
import { RequestSpans } from './request-spans.js';

/** Records the steps of requests in their traces, beside another listener. Used only where traces are exported. */
export class TracedLifecycle implements RequestLifecycleListener {
  constructor(private readonly next: RequestLifecycleListener) {}

  decided(request: ObservedRequest, decision: Decision): void {
    this.next.decided(request, decision);
  }

  undecided(request: ObservedRequest, error: FerryError): void {
    this.next.undecided(request, error);
  }

  queued(request: ObservedRequest, position: number): void {
    this.next.queued(request, position);
    spansOf(request)?.queued(position);
  }

  sent(request: ObservedRequest, found: FreePlacement): void {
    this.next.sent(request, found);
    spansOf(request)?.sent(request, found.placement);
  }

  begun(request: ObservedRequest): void {
    this.next.begun(request);
    spansOf(request)?.begun(request);
  }

  left(request: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void {
    this.next.left(request, reason, detail, nodeId);
    spansOf(request)?.left(request, reason, detail);
  }

  followed(request: ObservedRequest, hedge: ObservedRequest): void {
    this.next.followed(request, hedge);
    spansOf(request)?.followed();
  }

  ended(request: ObservedRequest, outcome: RequestEnd): void {
    this.next.ended(request, outcome);
    spansOf(request)?.ended(request, outcome);
  }
}

const spansOf = ({ routed: { trace } }: ObservedRequest): RequestSpans | null =>
  trace instanceof RequestSpans ? trace : null;
