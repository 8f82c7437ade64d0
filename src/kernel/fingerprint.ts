/** A public key as words that people can compare on two screens or on the telephone (docs/reference/security.md#nodes). */
import { createHash } from 'node:crypto';

/**
 * 256 words for eight bits each: inoffensive words of four to six letters from the English list of BIP-39, evenly
 * spread. No two share their first four letters. Must never change, because both sides of a comparison need the same list.
 */
export const fingerprintWords: readonly string[] = `
able absurd actor admit again alert alpha amused answer arch arrive assume august awake badge barely beach
begin bench bind blame blouse body border bounce breeze bring bubble bullet burst cable camera canoe carpet
castle cause chair chat chest churn clap clever clip clown coast column copper cost cover cram cream crop
crunch cycle dawn decide demand depth desk dice divide donate dove dress drive dust early easy either embody
enact enough entire error evoke excuse expect face false feed fiber filter fire flame flight fluid follow
forget frame frost funny game gather gentle give glide glue gossip grain grid guard hair hard health help hire
home horror huge hurdle ignore income inject insect iron jaguar join junior kick kiwi ladder large layer left
length life link live logic loyal luxury main manual marine math meat member merry mimic misery moment more
movie music naive near never noble note object odor omit opera order output oyster pair parade patch peace
permit picnic pink planet pluck polar post prefer profit pulse purse quote rail ranch rather rebel reform
relief renew report reveal rich ring river roof rough runway salmon sand scene screen second senior seven
shield shoe shrug silk siren skill sleep slow smoke snow soft soon source speed spider spoon spring stamp
steel still street subway summer surge sweet sword tail task team test theory three tiger tissue token topic
tower travel tribe truck tumble twelve type unfold update urban vacant vapor venue video vital volume walk
waste weasel wheel wife wing wise wool worth yellow
`
  .trim()
  .split(/\s+/);

/** Eight bits each: 48 bits cannot be guessed within the lifetime of a device code. */
const WORDS = 6;

/** @param publicKey raw ed25519 key, 32 bytes */
export function fingerprintOf(publicKey: Uint8Array): string {
  const digest = createHash('sha256').update('ferry-node-fingerprint-v1\0').update(publicKey).digest();
  return Array.from(digest.subarray(0, WORDS), (byte) => fingerprintWords[byte]).join('-');
}

/** Accepts blanks or hyphens between the words, and capitals. */
export const isFingerprintOf = (publicKey: Uint8Array, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .join('-') === fingerprintOf(publicKey);
