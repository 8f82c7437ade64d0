/** The node's ed25519 key. Generated here; it never leaves this computer (docs/reference/security.md#nodes). */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

const RAW_KEY_BYTES = 32;

export interface NodeKey {
  /** base64url of the raw 32 bytes. */
  readonly publicKey: string;
  /** base64url of the ed25519 signature. */
  sign(message: Uint8Array): string;
  /** PKCS #8 PEM: for the identity file only. */
  exportPrivateKey(): string;
}

export const createNodeKey = (): NodeKey => nodeKey(generateKeyPairSync('ed25519').privateKey);

/** @throws when `pem` is no ed25519 key */
export function importNodeKey(pem: string): NodeKey {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the private key is not an ed25519 key');
  return nodeKey(key);
}

const nodeKey = (key: KeyObject): NodeKey => ({
  // The raw key is the end of its DER form.
  publicKey: createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(-RAW_KEY_BYTES)
    .toString('base64url'),
  sign: (message) => sign(null, message, key).toString('base64url'),
  exportPrivateKey: () => key.export({ format: 'pem', type: 'pkcs8' }).toString(),
});
