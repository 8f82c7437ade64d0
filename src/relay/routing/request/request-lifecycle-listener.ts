import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { RequestToken } from '../admission/request-token.js';
import type { Decision } from '../selection/decision.js';
import type { FreePlacement } from '../selection/placement-finder.js';
import type { RoutedRequest } from './routed-request.js';
import type { RequestEnd } from './outcome.js';
import type { RequestTimeline } from './request-timeline.js';

/** A request, as seen by its listeners. */
export interface ObservedRequest {
  /** Tables refer to the request by this key. */
  readonly token: RequestToken;
  readonly routed: RoutedRequest;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
  /** This is the hedge of a request. */
  readonly isHedge?: boolean;
  /**
   * What the listener keeps of a request and its hedges, and nobody else reads. Here, because a table that thousands of requests a second
   * pass through costs several times as much.
   */
  listenerState?: object | undefined;
}

/** Why an attempt ended although the request continues. `overtaken`: the other attempt was first · `stopped`: the request is over. */
export type LeavingReason = 'refused' | 'lost' | 'overtaken' | 'stopped';

/** Notified of every step of every request, in order and once. Must not throw, and must not keep the request beyond `ended`. */
export interface RequestLifecycleListener {
  decided(request: ObservedRequest, decision: Decision): void;
  /** Nothing is eligible. */
  undecided(request: ObservedRequest, error: FerryError): void;
  /** @param position in its queue; the next is 1 */
  queued(request: ObservedRequest, position: number): void;
  /** A node was chosen and has the slot. */
  sent(request: ObservedRequest, found: FreePlacement): void;
  begun(request: ObservedRequest): void;
  /** The node that has it is out; another may follow. @param nodeId absent: the last that was asked */
  left(request: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void;
  /** The hedge is the only attempt left; later events concern it. */
  followed(request: ObservedRequest, hedge: ObservedRequest): void;
  ended(request: ObservedRequest, outcome: RequestEnd): void;
}
