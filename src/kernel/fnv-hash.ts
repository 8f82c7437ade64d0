/** FNV-1a with 32 bits. Allocates nothing, and is none against an attacker: whoever chooses the texts can make their hashes equal. */
export const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** @param seed the hash of what comes before. @returns 32 bits, signed */
export function fnvText(text: string, seed = FNV_OFFSET): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) hash = fnvNumber(text.charCodeAt(at), hash);
  return hash;
}

/** One step, so that numbers above 255 are not taken byte by byte. @param seed the hash of what comes before. @returns 32 bits, signed */
export const fnvNumber = (value: number, seed: number): number => Math.imul(seed ^ value, FNV_PRIME);
