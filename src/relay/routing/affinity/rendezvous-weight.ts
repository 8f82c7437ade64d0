import type { Placement } from '../../inventory/model-entry.js';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Rendezvous hash: of several placements, a conversation prefers the one with the highest weight. All replicas and all starts of the relay
 * agree on it, and a placement that goes moves only its own conversations. Allocates nothing.
 * @returns 32 bits, signed
 */
export function rendezvousWeight(conversation: string, { node, report }: Placement): number {
  return mixed(addText(addText(addText(FNV_OFFSET, conversation), node.nodeId), report.key));
}

/** Of a text, or of its `index`-th variant. @returns 32 bits, unsigned */
export const textHash = (text: string, index = 0): number => mixed(addText(FNV_OFFSET ^ index, text)) >>> 0;

function mixed(sum: number): number {
  let hash = sum;
  // Final mix of MurmurHash3: FNV alone leaves the high bits of similar texts similar.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) | 0;
}

function addText(seed: number, text: string): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}
