/** The last step of routing: one of the eligible placements with a free slot. */
import type { Rng } from '../../../kernel/clock.js';
import { fnvText } from '../../../kernel/fnv-hash.js';
import type { Placement } from '../../inventory/model-entry.js';
import { seededWeight } from '../affinity/rendezvous-weight.js';
import type { CostParts } from '../prediction/cost-parts.js';

export interface Candidate {
  readonly placement: Placement;
  /** Requests of this relay at the placement's engine now. */
  readonly busy: number;
  /** Requests the engine runs at once. */
  readonly slots: number;
}

export interface CostedCandidate extends Candidate {
  /** Lower is better; all costs of one decision are in one unit. */
  readonly cost: number;
  /** null: not available. */
  readonly parts: CostParts | null;
}

/** Fraction of the engine's slots in use. */
export const occupancyCost = ({ busy, slots }: Candidate): number => busy / slots;

/**
 * The cheapest candidate with a free slot. Always taking the cheapest would send a burst to one node, so near-ties are broken by the hash of
 * the conversation, which spreads conversations, and returns each one to its node at all replicas and after a restart; a request without a
 * conversation takes any of them. Among them, a node that needs another replica is left out when one does not.
 * @param tieWithin relative cost above the cheapest that counts as a tie
 * @param preferred candidates that win a tie, in this order
 * @returns undefined when all are full
 */
export function choose<Costed extends CostedCandidate>(
  candidates: readonly Costed[],
  tieWithin: (cheapest: number) => number,
  random: Rng,
  conversation: string | null,
  preferred: readonly Costed[] = [],
): Costed | undefined {
  let cheapest = Infinity;
  for (const { busy, slots, cost } of candidates) if (busy < slots && cost < cheapest) cheapest = cost;
  const bound = cheapest + tieWithin(cheapest);
  let chosen: Costed | undefined;
  let chosenRank = preferred.length;
  let equals = 0;
  const tie = new TieBreak(random, conversation);
  for (const candidate of candidates) {
    if (candidate.busy >= candidate.slots || candidate.cost > bound) continue;
    if (chosen !== undefined && isRemote(chosen) !== isRemote(candidate)) {
      if (isRemote(candidate)) continue;
      chosen = undefined;
      equals = 0;
    }
    const rank = rankIn(preferred, candidate);
    if (chosen !== undefined && rank !== chosenRank) {
      if (rank > chosenRank) continue;
      chosen = candidate;
      chosenRank = rank;
      tie.won(candidate);
      continue;
    }
    equals += 1;
    if (chosen === undefined) {
      chosen = candidate;
      chosenRank = rank;
      tie.won(candidate);
    } else if (tie.isWonBy(candidate, equals)) chosen = candidate;
  }
  return chosen;
}

/** The lowest wins; all that are not preferred have the same one. */
function rankIn(preferred: readonly Candidate[], candidate: Candidate): number {
  for (let rank = 0; rank < preferred.length; rank += 1) if (preferred[rank] === candidate) return rank;
  return preferred.length;
}

/** Picks one of the candidates of equal cost and rank. Each weight is computed once, and not before there is a second candidate. */
class TieBreak {
  private seed: number | null = null;
  private best: Placement | null = null;
  private bestWeight: number | null = null;

  constructor(
    private readonly random: Rng,
    private readonly conversation: string | null,
  ) {}

  /** It is the one to beat, whatever its weight. */
  won({ placement }: Candidate): void {
    this.best = placement;
    this.bestWeight = null;
  }

  /** @param equals number of ties so far. Without a conversation it is reservoir sampling: all ties are equally likely. */
  isWonBy({ placement }: Candidate, equals: number): boolean {
    if (this.conversation === null || this.best === null) return this.random() * equals >= equals - 1;
    const seed = (this.seed ??= fnvText(this.conversation));
    this.bestWeight ??= seededWeight(seed, this.best);
    const weight = seededWeight(seed, placement);
    if (weight <= this.bestWeight) return false;
    this.best = placement;
    this.bestWeight = weight;
    return true;
  }
}

const isRemote = ({ placement }: Candidate): boolean => placement.node.isRemote === true;
