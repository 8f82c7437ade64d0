import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { Decision } from '../selection/decision.js';
import type { RoutedRequest } from './routed-request.js';
import type { RequestEnd } from './outcome.js';
import type { RequestTimeline } from './request-timeline.js';

/** A request, as those who watch it see it. */
export interface ObservedRequest {
  /** Stands for it in tables, and holds nothing: a table that has been outgrown may live longer than the request. */
  readonly token: object;
  readonly routed: RoutedRequest;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
  /** It stands for the second try of a request that has two. */
  readonly isHedge?: boolean;
}

/** Why a node has a request no more, although the request goes on. `overtaken`: the other of two was first · `stopped`: the request is over. */
export type LeavingReason = 'refused' | 'lost' | 'overtaken' | 'stopped';

/** Hears of every step of every request, in order and once. Must not throw, and must not keep the request beyond `ended`. */
export interface RequestLifecycleListener {
  decided(request: ObservedRequest, decision: Decision): void;
  /** Nothing is eligible. */
  undecided(request: ObservedRequest, error: FerryError): void;
  /** @param position in its line, the next is 1 */
  queued(request: ObservedRequest, position: number): void;
  /** A node was chosen and has the slot. */
  asked(request: ObservedRequest, placement: Placement): void;
  begun(request: ObservedRequest): void;
  /** The node that has it is out; another may follow. @param nodeId absent: the last that was asked */
  left(request: ObservedRequest, reason: LeavingReason, detail: string, nodeId?: NodeId): void;
  /** Its second try is all that is left of it; what is heard from now on is about that one. */
  followed(request: ObservedRequest, hedge: ObservedRequest): void;
  ended(request: ObservedRequest, ending: RequestEnd): void;
}
