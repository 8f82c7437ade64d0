import { definitionOf } from '../../../../kernel/errors/error-catalogue.js';
import type { FerryError } from '../../../../kernel/errors/ferry-error.js';

/** A serialised error, for a response or a refused upgrade. */
export interface SerializedError {
  readonly status: number;
  /** Lower-case names, without content-length, which is added with the body. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export const JSON_TYPE = 'application/json; charset=utf-8';
const UNAUTHORIZED = 401;
/** RFC 9110 §11.6.1: every 401 names the scheme that it wants. */
const CHALLENGE = { 'www-authenticate': 'Bearer' } as const;
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * The headers that all families share: when and whether to retry, and why no node was available
 * (docs/reference/api-behaviour.md#retry-headers).
 */
export function errorHeaders(error: FerryError, contentType: string): Record<string, string> {
  return {
    ...error.headers,
    'content-type': contentType,
    ...(error.retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
    ...(error.shouldRetry === undefined ? {} : { 'x-should-retry': String(error.shouldRetry) }),
    ...(error.reason === undefined ? {} : { 'x-ferry-reason': error.reason }),
    ...(error.status === UNAUTHORIZED && error.headers?.['www-authenticate'] === undefined && CHALLENGE),
  };
}

/**
 * The two literal bodies of docs/reference/public-api.md#plain-text-errors; undefined for every other error, and for those that the extension
 * `json-errors` has in JSON.
 */
export function serializePlainText(error: FerryError): SerializedError | undefined {
  const { plainText } = definitionOf(error.code);
  if (plainText === undefined || error.inJson) return undefined;
  return { status: error.status, headers: errorHeaders(error, TEXT_TYPE), body: plainText };
}
