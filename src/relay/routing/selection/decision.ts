import type { Placement } from '../../inventory/model-entry.js';
import type { CostParts } from '../prediction/cost-parts.js';
import type { Verdict } from './eligibility.js';

/** What became of one placement in one decision. */
export type CandidateReason =
  | Verdict
  /** The prompt is longer than what it was loaded for, and elsewhere is room. */
  | 'context_too_short'
  /** It has refused or lost this request already. */
  | 'excluded'
  /** It failed lately or keeps a request waiting far too long, and others could serve this one, if not at once. */
  | 'avoided'
  /** All its slots are taken. */
  | 'full';

export interface Considered {
  readonly placement: Placement;
  readonly reason: CandidateReason;
  readonly busy: number;
  /** As far as they may be used. */
  readonly slots: number;
  /** By the node's own word; more than `slots` where less was learned. */
  readonly advertised: number;
  /** Infinity for one that was out of the question. */
  readonly cost: number;
  readonly parts: CostParts | null;
}

/** What was chosen is `suspect` when nothing better was left. */
export interface Decision {
  readonly candidates: readonly Considered[];
  readonly chosen: Considered | null;
}
