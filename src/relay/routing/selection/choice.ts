/** The last step of routing: one of the eligible placements with a free slot. */
import type { Rng } from '../../../kernel/clock.js';
import type { Placement } from '../../inventory/model-entry.js';

export interface Candidate {
  readonly placement: Placement;
  /** Requests of this relay at the placement's engine now. */
  readonly busy: number;
  /** Requests the engine runs at once. */
  readonly slots: number;
}

/** Lower is better. Predicted completion will stand here; every cost is compared with every other, so all are in one unit. */
export type Cost = (candidate: Candidate) => number;

/** Share of its slots that an engine has in use. */
export const occupancyCost: Cost = ({ busy, slots }) => busy / slots;

/** Costs this close are equal: always taking the very cheapest would send a burst to one node. */
const NEAR_TIE = 0.05;

/** A node whose first STATUS is on its way runs at least one request. */
const UNREPORTED_SLOTS = 1;

export const slotsOf = ({ node, report }: Placement): number =>
  node.status === null
    ? UNREPORTED_SLOTS
    : (node.status.engines.find(({ name }) => name === report.engine)?.slots_total ?? UNREPORTED_SLOTS);

/** The cheapest candidate with a free slot, near-ties at random; undefined when all are full. */
export function choose(candidates: readonly Candidate[], cost: Cost, random: Rng): Candidate | undefined {
  const free = candidates.filter(({ busy, slots }) => busy < slots);
  const costs = free.map(cost);
  const bound = Math.min(...costs) + NEAR_TIE;
  const cheapest = free.filter((_, index) => (costs[index] ?? Infinity) <= bound);
  return cheapest[Math.floor(random() * cheapest.length)];
}
