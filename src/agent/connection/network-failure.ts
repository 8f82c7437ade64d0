import { localNetworkAdvice } from './local-network-privacy.js';

/** OpenSSL's codes for a certificate of an unknown authority. */
const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/** A server that speaks no TLS on this port causes these. */
const NO_TLS = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);

/** Why the relay could not be reached, in a few words, with advice where there is any. */
export function networkFailure(error: unknown): string {
  const advice = networkAdvice(error);
  return advice === undefined ? networkReason(error) : `${networkReason(error)}: ${advice}`;
}

/** A code, or a few words. */
export function networkReason(error: unknown): string {
  const { code, message, name } = error as Error & { readonly code?: unknown };
  // undici's own codes say less than its messages, and those of DOM exceptions are numbers.
  if (typeof code !== 'string' || code.startsWith('UND_ERR_')) return message === '' ? name : message;
  return code;
}

export function networkAdvice(error: unknown, platform?: NodeJS.Platform): string | undefined {
  const { code = '' } = error as { readonly code?: string };
  if (NO_TLS.has(code)) return 'there is no TLS on that port, use http://';
  return UNKNOWN_AUTHORITY.has(code)
    ? 'if a private authority issued its certificate, set FERRY_CA_FILE to the certificate of that authority'
    : localNetworkAdvice(error, platform);
}
