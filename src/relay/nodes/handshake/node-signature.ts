/**
 * What a node signs with its ed25519 key, and how that is checked (docs/reference/security.md#nodes). Every message names its purpose, so
 * that none passes for another.
 */
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { NodeId } from '../../../kernel/ids.js';

const PUBLIC_KEY_BYTES = 32;
const PUBLIC_KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;
/** 64 bytes. */
const SIGNATURE_TEXT = /^[A-Za-z0-9_-]{86}$/;

/** Proof, at enrolment, that the computer which spends the join token holds the private key it registers. */
export const enrolmentMessage = (joinToken: string): Buffer =>
  Buffer.concat([Buffer.from('ferry-node-enrol-v1\0'), createHash('sha256').update(joinToken).digest()]);

/** Proof that the computer which asks for a device code holds the key; the nonce is of `GET /link/challenge`. */
export const deviceCodeMessage = (nonce: string): Buffer => Buffer.from(`ferry-node-device-v1\0${nonce}`);

/** `host` keeps a relay that a node was lured to from passing the signature on to the real one. */
export const linkMessage = (host: string, nonce: string, nodeId: NodeId): Buffer =>
  Buffer.from(`ferry-node-link-v1\0${host}\0${nonce}\0${nodeId}`);

/** The raw key, or undefined when the text is not 32 bytes of base64url that name a point of the curve. */
export function parsePublicKey(text: string): Buffer | undefined {
  if (!PUBLIC_KEY_TEXT.test(text)) return undefined;
  const raw = Buffer.from(text, 'base64url');
  return raw.length === PUBLIC_KEY_BYTES && keyObject(raw) !== undefined ? raw : undefined;
}

/** Never throws: whatever is wrong with key or signature makes it false. */
export function isSignedBy(publicKey: Buffer, message: Buffer, signature: string): boolean {
  if (!SIGNATURE_TEXT.test(signature)) return false;
  const key = keyObject(publicKey);
  if (key === undefined) return false;
  try {
    return verify(null, message, key, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

function keyObject(raw: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' });
  } catch {
    return undefined;
  }
}
