import type { FerryError } from '../../../kernel/errors/ferry-error.js';
import type { NodeId } from '../../../kernel/ids.js';
import type { Decision } from '../selection/decision.js';
import type { FreePlacement } from '../selection/placement-finder.js';
import type { ObservedRequest } from './routed-request.js';
import type { RequestEnd } from './outcome.js';

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
