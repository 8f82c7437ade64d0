import type { IncomingMessage } from 'node:http';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { headerValues } from '../platform/http/header-values.js';

const BEARER = /^bearer[ \t]+(\S+)$/i;

/**
 * Reads exactly one `Authorization: Bearer …`. An `x-api-key` is ignored (docs/reference/api-behaviour.md#bearer-only).
 * @throws FerryError `missing_or_malformed_credential`
 */
export function bearerCredential(request: IncomingMessage): string {
  const [value, second] = headerValues(request, 'authorization');
  const credential = second === undefined ? BEARER.exec(value?.trim() ?? '')?.[1] : undefined;
  if (credential === undefined) throw new FerryError('missing_or_malformed_credential');
  return credential;
}
