import type { AccountId, ModelSelector } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { noAffinity, type AffinityKeys } from '../affinity/affinity-keys.js';
import type { AffinityCache, CachedPrompt } from '../affinity/affinity-cache.js';
import type { CompletionPredictor, Size } from '../prediction/completion-predictor.js';
import { totalMs, type CostParts } from '../prediction/cost-parts.js';
import { unknownDemand, type Demand } from '../prediction/demand.js';
import { occupancyCost, type Candidate } from './choice.js';

/** The size of a request, and the engines that may have its prompt cached. */
export interface RequestProfile {
  readonly demand: Demand;
  readonly affinity: AffinityKeys;
}

export const unknownProfile: RequestProfile = { demand: unknownDemand, affinity: noAffinity };

/** The cost of a candidate in one decision. */
export interface CostEstimate {
  /** Estimated; null: unknown. */
  readonly promptTokens: number | null;
  /** Engines that may have its prompt cached; null: they were not looked up. */
  readonly cachedPrompt: CachedPrompt | null;
  /** null where the cost is not itemised. */
  partsOf(candidate: Candidate): CostParts | null;
  costOf(candidate: Candidate, parts: CostParts | null): number;
  /** Avoided while others could serve the request, even later. @param parts of its cost, where they are known */
  isAvoided(placement: Placement, parts: CostParts | null): boolean;
}

export interface Costing {
  estimate(accountId: AccountId, selector: ModelSelector, profile: RequestProfile): CostEstimate;
  /** Relative cost above the cheapest that counts as a tie. */
  readonly tieWithin: (cheapest: number) => number;
}

/** Least busy: uses slots only. */
export const occupancyCosting: Costing = {
  estimate: () => ({
    promptTokens: null,
    cachedPrompt: null,
    partsOf: () => null,
    costOf: occupancyCost,
    isAvoided: () => false,
  }),
  tieWithin: () => 0.05,
};

/** Accuracy of the predictions. */
const TIE_PART = 0.05;
const TIE_MS = 25;

/** A class: as closures, its methods would be made anew for every request. */
class CompletionCostEstimate implements CostEstimate {
  private readonly nowMs: number;

  constructor(
    private readonly predictor: CompletionPredictor,
    private readonly size: Size,
    readonly cachedPrompt: CachedPrompt,
  ) {
    this.nowMs = predictor.nowMs();
  }

  get promptTokens(): number {
    return this.size.promptTokens;
  }

  partsOf({ placement, busy, slots }: Candidate): CostParts {
    return this.predictor.predict(placement, this.size, busy, slots, this.cachedPrompt.tokensAt(placement), this.nowMs);
  }

  costOf(_: Candidate, parts: CostParts | null): number {
    return parts === null ? Infinity : totalMs(parts);
  }

  isAvoided(placement: Placement, parts: CostParts | null): boolean {
    // A placement to avoid has a penalty, which is part of the wait: nearly always there is nothing to look up.
    return parts?.queueMs !== 0 && this.predictor.isAvoided(placement, this.nowMs);
  }
}

/** Predicted completion time in milliseconds, less the prefill that a cached prompt saves. */
export const completionCosting = (predictor: CompletionPredictor, affinity: AffinityCache): Costing => ({
  estimate: (accountId, selector, { demand, affinity: keys }) =>
    new CompletionCostEstimate(predictor, predictor.size(accountId, selector, demand), affinity.find(accountId, keys)),
  tieWithin: (cheapest) => Math.max(TIE_MS, Math.abs(cheapest) * TIE_PART),
});
