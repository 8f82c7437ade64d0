import { FNV_OFFSET, fnvText } from '../../../kernel/fnv-hash.js';
import type { Placement } from '../../inventory/model-entry.js';

/**
 * Rendezvous hash: of several placements, a conversation prefers the one with the highest weight. All replicas and all starts of the relay
 * agree on it, and a placement that goes moves only its own conversations. Allocates nothing.
 * @returns 32 bits, signed
 */
export const rendezvousWeight = (conversation: string, placement: Placement): number =>
  seededWeight(fnvText(conversation), placement);

/** The same for several placements. @param seed `fnvText` of the conversation */
export const seededWeight = (seed: number, { node, report }: Placement): number =>
  mixed(fnvText(report.key, fnvText(node.nodeId, seed)));

/** Hashes a text, or its `index`-th variant. @returns 32 bits, unsigned */
export const textHash = (text: string, index = 0): number => mixed(fnvText(text, FNV_OFFSET ^ index)) >>> 0;

function mixed(sum: number): number {
  let hash = sum;
  // Final mix of MurmurHash3: FNV alone leaves the high bits of similar texts similar.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}
