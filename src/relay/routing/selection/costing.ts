import type { AccountId, ModelSelector } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { noAffinity, type AffinityKeys } from '../affinity/affinity-keys.js';
import type { AffinityCache } from '../affinity/affinity-cache.js';
import type { CompletionPredictor } from '../prediction/completion-predictor.js';
import { totalMs, type CostParts } from '../prediction/cost-parts.js';
import { unknownDemand, type Demand } from '../prediction/demand.js';
import { occupancyCost, type Candidate } from './choice.js';

/** What is known of a request's size, and of where its prompt may be warm. */
export interface RequestProfile {
  readonly demand: Demand;
  readonly affinity: AffinityKeys;
}

export const unknownProfile: RequestProfile = { demand: unknownDemand, affinity: noAffinity };

/** What one decision compares its candidates by. */
export interface Appraisal {
  /** Estimated; null: nobody knows. */
  readonly promptTokens: number | null;
  /** null where the cost has no parts. */
  partsOf(candidate: Candidate): CostParts | null;
  costOf(candidate: Candidate, parts: CostParts | null): number;
  /** While others could serve the request, even later, it does not go there. */
  isAvoided(placement: Placement): boolean;
}

export interface Costing {
  appraise(accountId: AccountId, selector: ModelSelector, profile: RequestProfile): Appraisal;
  /** How much more than the cheapest still counts as equal. */
  readonly tieWithin: (cheapest: number) => number;
}

/** Least busy: knows nothing but slots. */
export const occupancyCosting: Costing = {
  appraise: () => ({ promptTokens: null, partsOf: () => null, costOf: occupancyCost, isAvoided: () => false }),
  tieWithin: () => 0.05,
};

/** Predictions are no better than that. */
const TIE_PART = 0.05;
const TIE_MS = 25;

/** Predicted completion in milliseconds, less the reading that a warm prompt saves. */
export const completionCosting = (predictor: CompletionPredictor, affinity: AffinityCache): Costing => ({
  appraise: (accountId, selector, { demand, affinity: keys }) => {
    const size = predictor.size(accountId, selector, demand);
    const warm = affinity.find(accountId, keys);
    const nowMs = predictor.nowMs();
    return {
      promptTokens: size.promptTokens,
      partsOf: ({ placement, busy, slots }) =>
        predictor.predict(placement, size, busy, slots, warm.tokensAt(placement), nowMs),
      isAvoided: (placement) => predictor.isAvoided(placement, nowMs),
      costOf: (_, parts) => (parts === null ? Infinity : totalMs(parts)),
    };
  },
  tieWithin: (cheapest) => Math.max(TIE_MS, Math.abs(cheapest) * TIE_PART),
});
