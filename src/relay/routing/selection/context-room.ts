import type { Placement } from '../../inventory/model-entry.js';
import type { Assessed } from './eligibility.js';

/** The estimate may be off by this much either way, and being sent to another node for nothing costs little. */
const ESTIMATE_PART = 0.9;

export interface RoomNeeded {
  /** Of the prompt, from the size of the body. */
  readonly estimatedTokens: number;
  /** By the count of a node that has refused the request as too long; 0: there is none. */
  readonly leastTokens: number;
}

/** A node that does not tell its context is taken to have room. */
export const hasRoomFor = ({ report }: Placement, { estimatedTokens, leastTokens }: RoomNeeded): boolean =>
  report.context_length === null ||
  (report.context_length >= estimatedTokens * ESTIMATE_PART && report.context_length >= leastTokens);

/** Of those that may serve the request, suspect ones included: health must not send a prompt where it has no room. Infinity when one does not tell. */
export function longestContext(assessed: readonly Assessed[]): number {
  let longest = 0;
  for (const { placement, verdict } of assessed) {
    if (verdict === 'eligible' || verdict === 'suspect')
      longest = Math.max(longest, placement.report.context_length ?? Infinity);
  }
  return longest;
}
