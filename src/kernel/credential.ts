/**
 * Credentials issued by Ferry (docs/reference/security.md#api-keys): `<prefix><id:12><secret:43><crc:6>`, base62.
 * Prefix, shape and checksum are checked without any look-up, so that malformed ones never cause a query.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, base62OfNumber } from './base62.js';

export type CredentialKind =
  | 'api-key'
  | 'join-token'
  | 'cli-token'
  | 'session'
  | 'invite'
  | 'device-login'
  | 'node-device'
  | 'console-link';

const prefixes: Record<CredentialKind, string> = {
  'api-key': 'sk-ferry-',
  'join-token': 'ferry-join-',
  'cli-token': 'ferry-cli-',
  session: 'ferry-ses-',
  invite: 'ferry-inv-',
  'device-login': 'ferry-dev-',
  'node-device': 'ferry-dvn-',
  'console-link': 'ferry-web-',
};

const ID_LENGTH = 12;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const BODY = /^[0-9A-Za-z]{61}$/;

export interface Credential {
  readonly kind: CredentialKind;
  /** Identifies the credential in lists, audit and revocation; useless without the secret. */
  readonly publicId: string;
  /** The whole text. Shown once, never stored, never logged. */
  readonly text: string;
}

const checksum = (text: string): string => base62OfNumber(crc32(text), CHECKSUM_LENGTH);

export function createCredential(kind: CredentialKind): Credential {
  const publicId = base62(randomBytes(16), ID_LENGTH);
  const unsigned = prefixes[kind] + publicId + base62(randomBytes(32), SECRET_LENGTH);
  return { kind, publicId, text: unsigned + checksum(unsigned) };
}

/** The credential, or undefined when prefix, shape or checksum is wrong for its kind. Reads no storage. */
export function parseCredential(kind: CredentialKind, text: string): Credential | undefined {
  const prefix = prefixes[kind];
  if (!text.startsWith(prefix)) return undefined;
  const body = text.slice(prefix.length);
  if (!BODY.test(body)) return undefined;
  if (checksum(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined;
  return { kind, publicId: body.slice(0, ID_LENGTH), text };
}

/** The server stores this digest: domain-separated SHA-256. A fast hash is right for 256 random bits (docs/reference/security.md#api-keys). */
export const credentialDigest = (credential: Credential): Buffer =>
  Buffer.from(credentialDigestText(credential), 'hex');

/** The same in hexadecimal. One call and no Buffer, because it is made for every request. */
export const credentialDigestText = (credential: Credential): string =>
  hash('sha256', `ferry/${credential.kind}/v1\0${credential.text}`, 'hex');
