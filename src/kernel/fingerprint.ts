/** A public key as words that people can compare across two screens, or say on the telephone (docs/reference/security.md#nodes). */
import { createHash } from 'node:crypto';
import { fingerprintWords } from './fingerprint-words.js';

/** Eight bits each: 48 bits, far more than anybody can try in the minutes that a device code lives. */
const WORDS = 6;

/** @param publicKey raw ed25519 key, 32 bytes */
export function fingerprintOf(publicKey: Uint8Array): string {
  const digest = createHash('sha256').update('ferry-node-fingerprint-v1\0').update(publicKey).digest();
  return Array.from(digest.subarray(0, WORDS), (byte) => fingerprintWords[byte]).join('-');
}

/** However the words were typed: with blanks or hyphens, in capitals. */
export const isFingerprintOf = (publicKey: Uint8Array, typed: string): boolean =>
  typed
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
    .join('-') === fingerprintOf(publicKey);
