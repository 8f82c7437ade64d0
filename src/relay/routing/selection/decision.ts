import type { Placement } from '../../inventory/model-entry.js';
import type { CostParts } from '../prediction/cost-parts.js';
import type { Verdict } from './eligibility.js';

/** The result for one placement in one decision. */
export type CandidateReason =
  | Verdict
  /** The prompt exceeds its context and fits elsewhere. */
  | 'context_too_short'
  /** It has already rejected or lost this request. */
  | 'excluded'
  /** It failed recently or keeps a request waiting far too long, and others could serve this one, even later. */
  | 'avoided'
  /** All its slots are in use. */
  | 'full';

export interface Considered {
  readonly placement: Placement;
  readonly reason: CandidateReason;
  readonly busy: number;
  /** Usable slots. */
  readonly slots: number;
  /** Reported by the node; more than `slots` where fewer were learned. */
  readonly advertised: number;
  /** Infinity for an ineligible one. */
  readonly cost: number;
  readonly parts: CostParts | null;
}

/** The chosen placement is `suspect` when no better one was left. */
export interface Decision {
  readonly candidates: readonly Considered[];
  /** In scope; more than the candidates where a sample of them was compared. */
  readonly placements: number;
  readonly chosen: Considered | null;
}
