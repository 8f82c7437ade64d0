import type { AccountId, ModelSelector, NodeId } from '../../../kernel/ids.js';
import type { Placement } from '../../inventory/model-entry.js';
import { noAffinity, type AffinityKeys } from '../affinity/affinity-keys.js';
import type { AffinityCache } from '../affinity/affinity-cache.js';
import type { CompletionPredictor } from '../prediction/completion-predictor.js';
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
export interface Appraisal {
  /** Estimated; null: unknown. */
  readonly promptTokens: number | null;
  /** Those that may have its prompt cached. */
  readonly warmNodes: readonly NodeId[];
  /** Prompt tokens that may be cached there; null: it was not looked up. */
  warmTokensAt(placement: Placement): number | null;
  /** null where the cost is not itemised. */
  partsOf(candidate: Candidate): CostParts | null;
  costOf(candidate: Candidate, parts: CostParts | null): number;
  /** Avoided while others could serve the request, even later. */
  isAvoided(placement: Placement): boolean;
}

export interface Costing {
  appraise(accountId: AccountId, selector: ModelSelector, profile: RequestProfile): Appraisal;
  /** Relative cost above the cheapest that counts as a tie. */
  readonly tieWithin: (cheapest: number) => number;
}

/** Least busy: uses slots only. */
export const occupancyCosting: Costing = {
  appraise: () => ({
    promptTokens: null,
    warmNodes: [],
    warmTokensAt: () => null,
    partsOf: () => null,
    costOf: occupancyCost,
    isAvoided: () => false,
  }),
  tieWithin: () => 0.05,
};

/** Accuracy of the predictions. */
const TIE_PART = 0.05;
const TIE_MS = 25;

/** Predicted completion time in milliseconds, less the prefill that a cached prompt saves. */
export const completionCosting = (predictor: CompletionPredictor, affinity: AffinityCache): Costing => ({
  appraise: (accountId, selector, { demand, affinity: keys }) => {
    const size = predictor.size(accountId, selector, demand);
    const warm = affinity.find(accountId, keys);
    const nowMs = predictor.nowMs();
    return {
      promptTokens: size.promptTokens,
      warmNodes: warm.nodes,
      warmTokensAt: (placement) => warm.tokensAt(placement),
      partsOf: ({ placement, busy, slots }) =>
        predictor.predict(placement, size, busy, slots, warm.tokensAt(placement), nowMs),
      isAvoided: (placement) => predictor.isAvoided(placement, nowMs),
      costOf: (_, parts) => (parts === null ? Infinity : totalMs(parts)),
    };
  },
  tieWithin: (cheapest) => Math.max(TIE_MS, Math.abs(cheapest) * TIE_PART),
});
