import type { Rng } from '../../../kernel/clock.js';
import { choose } from './choice.js';
import { consider, ineligible, type Requirement } from './consider.js';
import type { Considered, Decision, CandidateReason } from './decision.js';
import { verdictOf, type FleetView, type Needs } from './eligibility.js';
import type { PlacementPool } from './placement-pool.js';

/** Above this number of placements, a decision compares a sample of them. */
export const SAMPLED_ABOVE = 64;
/** This many come from the conversation, by consistent hashing. */
const PREFERRED = 2;
/** This many come from all placements, full ones included: they find slots that became free without a notice. */
const CHECKED = 1;
/** Placements with a free slot to compare. */
const TARGET_CANDIDATES = 6;
/** Placements that are drawn for that, of which some may not suit the request. */
const MOST_DRAWS = 64;

/** Nothing can start there, whatever the request is, until the node or its model changes. */
function isUnusableByAll(reason: CandidateReason): boolean {
  switch (reason) {
    case 'full':
    case 'not_loaded':
    case 'engine_unreachable':
    case 'paused':
    case 'draining':
    case 'not_accepting':
      return true;
    default:
      return false;
  }
}

export interface SampledSearch {
  readonly requirement: Requirement;
  readonly needs: Needs;
  readonly health: NonNullable<FleetView['health']>;
  readonly tieWithin: (cheapest: number) => number;
  readonly random: Rng;
  /** null: none. */
  readonly conversation: string | null;
}

/**
 * A choice among many placements, at a cost that does not grow with their number: those that the conversation prefers, those that have its
 * prompt, the best ones of the last decision, and a random draw of those that may have a free slot.
 * @returns null: the sample does not tell, as when few placements suit the request, and all of them must be looked at. A decision without a
 * choice means that all are full.
 */
export function searchSample(pool: PlacementPool, search: SampledSearch): Decision | null {
  pool.begin();
  const { conversation, requirement, random, tieWithin } = search;
  const sample = new Sample(pool, search);
  const preferred: Considered[] = [];
  if (conversation !== null) {
    for (let rank = 0; rank < PREFERRED; rank += 1) {
      const one = sample.take(pool.preferredBy(conversation, rank));
      if (one !== null) preferred.push(one);
    }
  }
  for (const nodeId of requirement.estimate.cachedPrompt?.nodes ?? [])
    for (const position of pool.at(nodeId)) sample.take(position);
  for (let rank = 0; rank < pool.best.size; rank += 1) sample.take(pool.best.at(rank));
  for (let check = 0; check < CHECKED; check += 1) sample.take(Math.floor(random() * pool.placements.length));
  const isComplete = sample.drawFree();
  const chosen = choose(sample.usable, tieWithin, random, conversation, preferred) ?? null;
  if (chosen === null && !(isComplete && sample.isFull)) return null;
  sample.remember();
  return { candidates: sample.candidates, chosen, placements: pool.placements.length };
}

/** The placements that one decision compares. */
class Sample {
  readonly candidates: Considered[] = [];
  /** Collects the healthy ones with a free slot that are not avoided. */
  readonly usable: Considered[] = [];
  private readonly positions: number[] = [];
  /** Placements that only a comparison of all may choose: suspect, probing or avoided. */
  private doubtful = 0;

  constructor(
    private readonly pool: PlacementPool,
    private readonly search: SampledSearch,
  ) {}

  /** All that could serve the request are full, as far as the sample tells. */
  get isFull(): boolean {
    return this.doubtful === 0 && this.candidates.some((one) => one.reason === 'full' && !this.isAvoided(one));
  }

  /** @returns null when it was taken before, or cannot be used now */
  take(position: number): Considered | null {
    if (!this.pool.take(position)) return null;
    const one = this.look(position);
    return one === null || isUnusableByAll(one.reason) ? null : one;
  }

  /**
   * Draws placements that may have a free slot until there are enough.
   * @returns whether none is left
   */
  drawFree(): boolean {
    const { free } = this.pool;
    let drawn = 0;
    while (this.usable.length < TARGET_CANDIDATES && drawn < MOST_DRAWS) {
      const position = free.draw(drawn, this.search.random());
      if (position === undefined) return true;
      if (this.take(position) !== null || free.has(position)) drawn += 1;
    }
    return free.size <= drawn;
  }

  /** The next decision looks at the cheapest ones of this one. */
  remember(): void {
    const { usable, positions, pool } = this;
    pool.best.clear();
    for (let index = 0; index < usable.length; index += 1)
      pool.best.add(positions[index] ?? 0, usable[index]?.cost ?? Infinity);
  }

  private look(position: number): Considered | null {
    const { pool, search } = this;
    const placement = pool.placements[position];
    if (placement === undefined) return null;
    const { requirement, needs, health } = search;
    const one = consider(placement, verdictOf(placement, needs, health), requirement);
    if (isUnusableByAll(one.reason)) pool.free.delete(position);
    else pool.free.add(position);
    if (one.reason === 'eligible' && this.isAvoided(one)) {
      this.doubtful += 1;
      this.candidates.push(ineligible(placement, 'avoided'));
      return one;
    }
    this.candidates.push(one);
    if (one.reason === 'suspect' || (one.reason === 'eligible' && !this.isHealthy(one))) this.doubtful += 1;
    else if (one.reason === 'eligible') {
      this.usable.push(one);
      this.positions.push(position);
    }
    return one;
  }

  private isHealthy({ placement: { node, report } }: Considered): boolean {
    return this.search.health.stateOf(node.nodeId, report.key) === 'healthy';
  }

  private isAvoided({ placement, parts }: Considered): boolean {
    return this.search.requirement.estimate.isAvoided(placement, parts);
  }
}
