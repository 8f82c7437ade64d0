/** One placement in one decision. */
import type { NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { engineStatus, slotsOf } from '../admission/occupancy.js';
import type { Capacity } from './capacity.js';
import type { CostEstimate } from './costing.js';
import type { CandidateReason, Considered } from './decision.js';
import type { Verdict } from './eligibility.js';

/** Tolerance of the estimate; an unnecessary choice of another node costs little. */
const ESTIMATE_PART = 0.9;

export interface RoomNeeded {
  /** Prompt tokens, estimated from the size of the body. */
  readonly estimatedTokens: number;
  /** Counted by a node that rejected the request as too long; 0: none. */
  readonly leastTokens: number;
}

/** A decision requires this of every placement. */
export interface Requirement {
  readonly excluded: ReadonlySet<NodeId>;
  readonly room: RoomNeeded;
  readonly estimate: CostEstimate;
  readonly capacity: Capacity;
  /** No better one is left. */
  readonly suspectsToo: boolean;
}

/** A node that does not report its context is assumed to have room. */
const hasRoomFor = ({ report }: Placement, { estimatedTokens, leastTokens }: RoomNeeded): boolean =>
  report.context_length === null ||
  (report.context_length >= estimatedTokens * ESTIMATE_PART && report.context_length >= leastTokens);

export function consider(
  placement: Placement,
  verdict: Verdict,
  { excluded, room, estimate, capacity, suspectsToo }: Requirement,
): Considered {
  if (verdict !== 'eligible' && !(suspectsToo && verdict === 'suspect')) return ineligible(placement, verdict);
  if (excluded.size > 0 && excluded.has(placement.node.nodeId)) return ineligible(placement, 'excluded');
  if (!hasRoomFor(placement, room)) return ineligible(placement, 'context_too_short');
  const engine = engineStatus(placement);
  const advertised = slotsOf(placement, engine);
  const slots = capacity.slots(placement, advertised);
  const busy = capacity.busy(placement, slots, engine);
  if (busy >= slots) return { placement, reason: 'full', busy, slots, advertised, cost: Infinity, parts: null };
  // One object, not a candidate and then its result: this runs for every placement of every request.
  const considered: Open = { placement, reason: verdict, busy, slots, advertised, cost: Infinity, parts: null };
  considered.parts = estimate.partsOf(considered);
  considered.cost = estimate.costOf(considered, considered.parts);
  return considered;
}

type Open = { -readonly [Field in keyof Considered]: Considered[Field] };

export const ineligible = (placement: Placement, reason: CandidateReason): Considered => ({
  placement,
  reason,
  busy: 0,
  slots: 0,
  advertised: 0,
  cost: Infinity,
  parts: null,
});

/** The placements of a decision. @param verdicts on them, in the same order */
export function considerAll(
  placements: readonly Placement[],
  verdicts: readonly Verdict[],
  requirement: Requirement,
): Considered[] {
  const considered: Considered[] = [];
  for (let index = 0; index < placements.length; index += 1) {
    const placement = placements[index];
    const verdict = verdicts[index];
    if (placement !== undefined && verdict !== undefined) considered.push(consider(placement, verdict, requirement));
  }
  return considered;
}

/** A placement with a penalty is skipped while another could serve the request, at once or after a wait; alone, it is used. */
export function withoutAvoided(considered: Considered[], estimate: CostEstimate): Considered[] {
  for (const one of considered) if (isAvoided(one, estimate)) return markAvoided(considered, estimate);
  return considered;
}

function markAvoided(considered: Considered[], estimate: CostEstimate): Considered[] {
  const marked = considered.map((one) => (isAvoided(one, estimate) ? ineligible(one.placement, 'avoided') : one));
  return hasOpen(marked) ? marked : considered;
}

const isAvoided = (one: Considered, estimate: CostEstimate): boolean =>
  isOpen(one) && estimate.isAvoided(one.placement, one.parts);

/** It could serve the request, at once or after a wait, and is healthy. */
const isOpen = ({ reason }: Considered): boolean => reason === 'eligible' || reason === 'full';

export function hasOpen(considered: readonly Considered[]): boolean {
  for (const one of considered) if (isOpen(one)) return true;
  return false;
}
