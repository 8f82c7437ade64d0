import type { IncomingHttpHeaders } from 'node:http';
import { forwardedHeaders, type OpenMessage } from '../../link/messages.js';

/** The link's bound: a longer one would make the whole request unsendable, and no engine needs it. */
const LONGEST_HEADER_CHARACTERS = 2_000;

/** Headers of the client that a node may see; nothing else of them leaves the relay (docs/reference/security.md#headers). */
export function headersForNode(headers: IncomingHttpHeaders): OpenMessage['headers'] {
  const forwarded: OpenMessage['headers'] = {};
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && value.length <= LONGEST_HEADER_CHARACTERS) forwarded[name] = value;
  }
  return forwarded;
}
