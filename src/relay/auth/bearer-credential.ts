import type { IncomingMessage } from 'node:http';
import { FerryError } from '../../kernel/errors/ferry-error.js';
import { headerValues } from '../platform/http/header-values.js';

const BEARER = /^bearer[ \t]+(\S+)$/i;

/** The header of the latest request of a connection and the credential in it, on the connection itself. */
const latestHeader = Symbol('ferry.latest-authorization');
type Connection = object & { [latestHeader]?: { readonly value: string; readonly credential: string } };

/**
 * Reads exactly one `Authorization: Bearer …`. An `x-api-key` is not read, and alone it is answered with what to do (docs/reference/api-behaviour.md#bearer-only). Most clients repeat
 * the header with every request of a connection: to take it apart again takes longer than to compare it.
 * @throws FerryError `missing_or_malformed_credential`
 */
export function bearerCredential(request: IncomingMessage): string {
  const connection: Connection = request.socket;
  const [value, second] = headerValues(request, 'authorization');
  if (value === undefined && request.headers['x-api-key'] !== undefined) throw keyInOtherHeader();
  if (value === undefined || second !== undefined) throw new FerryError('missing_or_malformed_credential');
  const latest = connection[latestHeader];
  if (latest?.value === value) return latest.credential;
  const credential = BEARER.exec(value.trim())?.[1];
  if (credential === undefined) throw new FerryError('missing_or_malformed_credential');
  connection[latestHeader] = { value, credential };
  return credential;
}

/** The body is the literal of the contract: only a header has room for words. */
const keyInOtherHeader = (): FerryError =>
  new FerryError('missing_or_malformed_credential', undefined, {
    headers: {
      'www-authenticate':
        'Bearer error="invalid_request", error_description="x-api-key is not read: send Authorization: Bearer KEY (Anthropic clients: authToken or ANTHROPIC_AUTH_TOKEN instead of apiKey)"',
    },
  });
