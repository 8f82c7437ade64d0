import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { Decision } from '../selection/decision.js';
import type { InferenceOrder } from './inference-order.js';
import type { Ending } from './outcome.js';
import type { RequestTimeline } from './request-timeline.js';

/** A request, as those who watch it see it. */
export interface ObservedRequest {
  readonly order: InferenceOrder;
  readonly timeline: Pick<RequestTimeline, 'queuedMs'>;
}

/** Why a node has a request no more, although the request goes on. */
export type LeavingReason = 'refused' | 'lost';

/** Hears of every step of every request, in order and once. Must not throw, and must not keep the request beyond `ended`. */
export interface CourseObserver {
  decided(request: ObservedRequest, decision: Decision): void;
  /** Nothing is eligible. */
  undecided(request: ObservedRequest, error: FerryError): void;
  /** @param position in its line, the next is 1 */
  queued(request: ObservedRequest, position: number): void;
  /** A node was chosen and has the slot. */
  asked(request: ObservedRequest, placement: Placement): void;
  begun(request: ObservedRequest): void;
  /** The last node that was asked is out; another may follow. */
  left(request: ObservedRequest, reason: LeavingReason, detail: string): void;
  ended(request: ObservedRequest, ending: Ending): void;
}
