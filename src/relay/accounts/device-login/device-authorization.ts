/** Device authorization (RFC 8628), shared by the sign-in of a command line and the enrolment of a node. */
import { randomInt } from 'node:crypto';
import { createCredential, credentialDigest, parseCredential } from '../../../kernel/credential.js';

type DeviceCodeKind = 'device-login' | 'node-device';

/** Shortest time between two polls of the device. */
export const POLL_INTERVAL_SECONDS = 5;
/** Anybody may ask for a code, so open codes are bounded for the whole relay. */
export const MAX_OPEN_CODES = 10_000;
/** After so many tries a code is dead (docs/reference/security.md#nodes). */
export const TRIES_PER_CODE = 5;

/** Consonants only: no words, and nothing that looks like a digit (RFC 8628 §6.1). */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LENGTH = 8;
const HALF = LENGTH / 2;
const TYPED = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

export interface DeviceAuthorization {
  /** Public part of the device code. */
  readonly id: string;
  /** Secret: the device polls with it. */
  readonly deviceCode: string;
  readonly digest: Buffer;
  /** Without the dash, as it is stored. */
  readonly userCode: string;
}

export function createDeviceAuthorization(kind: DeviceCodeKind): DeviceAuthorization {
  const credential = createCredential(kind);
  const userCode = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '').join('');
  return { id: credential.publicId, deviceCode: credential.text, digest: credentialDigest(credential), userCode };
}

/** The page of the website on which either kind of device is approved. */
const VERIFICATION_PATH = '/console/device';

/** The response to a new authorization. @param baseUrl public address of the relay */
export const deviceAuthorizationRecord = (
  { deviceCode, userCode }: Pick<DeviceAuthorization, 'deviceCode' | 'userCode'>,
  lifetimeMs: number,
  approveCommand: string,
  baseUrl: string,
) => ({
  device_code: deviceCode,
  user_code: shownUserCode(userCode),
  verification_uri: `${baseUrl}${VERIFICATION_PATH}`,
  verification_uri_complete: `${baseUrl}${VERIFICATION_PATH}?code=${shownUserCode(userCode)}`,
  approve_command: `${approveCommand} ${shownUserCode(userCode)}`,
  expires_in: Math.floor(lifetimeMs / 1_000),
  interval: POLL_INTERVAL_SECONDS,
});

export function parseDeviceCode(
  kind: DeviceCodeKind,
  text: string,
): Pick<DeviceAuthorization, 'id' | 'digest'> | undefined {
  const credential = parseCredential(kind, text);
  return credential && { id: credential.publicId, digest: credentialDigest(credential) };
}

/** `XXXX-XXXX`, as people read and type it. */
export const shownUserCode = (code: string): string => `${code.slice(0, HALF)}-${code.slice(HALF)}`;

/** Accepts any case, blanks and dashes. Undefined when the text is no user code. */
export function parseUserCode(text: string): string | undefined {
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '');
  return TYPED.test(code) ? code : undefined;
}
