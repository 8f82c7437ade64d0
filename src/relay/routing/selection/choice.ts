/** The last step of routing: one of the eligible placements with a free slot. */
import type { Rng } from '../../../kernel/clock.js';
import type { Placement } from '../../inventory/model-entry.js';
import type { CostParts } from '../prediction/cost-parts.js';

export interface Candidate {
  readonly placement: Placement;
  /** Requests of this relay at the placement's engine now. */
  readonly busy: number;
  /** Requests the engine runs at once. */
  readonly slots: number;
}

export interface CostedCandidate extends Candidate {
  /** Lower is better; costs are compared with each other, so all of one decision are in one unit. */
  readonly cost: number;
  /** null: the cost has none. */
  readonly parts: CostParts | null;
}

/** Share of its slots that an engine has in use. */
export const occupancyCost = ({ busy, slots }: Candidate): number => busy / slots;

/** A node whose first STATUS is on its way runs at least one request. */
const UNREPORTED_SLOTS = 1;

export function slotsOf({ node, report }: Placement): number {
  if (node.status === null) return UNREPORTED_SLOTS;
  for (const { name, slots_total: slots } of node.status.engines) if (name === report.engine) return slots;
  return UNREPORTED_SLOTS;
}

/**
 * The cheapest candidate with a free slot, near-ties at random: always taking the very cheapest would send a burst to one node.
 * @param tieWithin how much more than the cheapest still counts as equal to it
 * @returns undefined when all are full
 */
export function choose<Costed extends CostedCandidate>(
  candidates: readonly Costed[],
  tieWithin: (cheapest: number) => number,
  random: Rng,
): Costed | undefined {
  let cheapest = Infinity;
  for (const { busy, slots, cost } of candidates) if (busy < slots && cost < cheapest) cheapest = cost;
  const bound = cheapest + tieWithin(cheapest);
  // Each further one takes the place of those before with a chance that makes all equally likely in the end.
  let chosen: Costed | undefined;
  let equals = 0;
  for (const candidate of candidates) {
    if (candidate.busy >= candidate.slots || candidate.cost > bound) continue;
    equals += 1;
    if (chosen === undefined || random() * equals >= equals - 1) chosen = candidate;
  }
  return chosen;
}
