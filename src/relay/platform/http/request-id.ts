import type { ServerResponse } from 'node:http';
import { createRequestId, type RequestId } from '../../../kernel/ids.js';

/** OpenAI's clients read the first, Anthropic's the second (docs/reference/client-protocols.md#common-http). */
const REQUEST_ID_HEADERS = ['x-request-id', 'request-id'] as const;

const idKey = Symbol('ferry.request-id');
type WithId = ServerResponse & { [idKey]?: RequestId };

/** Gives the response its request id. Whoever writes the head sends it: see {@link setRequestIdHeaders}. */
export function assignRequestId(res: ServerResponse, create = createRequestId): RequestId {
  const requestId = create();
  (res as WithId)[idKey] = requestId;
  return requestId;
}

/** Sets the headers, for a head that others write. Idempotent; does nothing outside the relay's own server. */
export function setRequestIdHeaders(res: ServerResponse): void {
  const requestId = (res as WithId)[idKey];
  if (requestId === undefined || res.hasHeader(REQUEST_ID_HEADERS[0])) return;
  for (const header of REQUEST_ID_HEADERS) res.setHeader(header, requestId);
}

/** The headers as a list of names and values, where they are not set yet. */
export function requestIdPairs(res: ServerResponse): string[] {
  const requestId = (res as WithId)[idKey];
  if (requestId === undefined || res.hasHeader(REQUEST_ID_HEADERS[0])) return [];
  return [REQUEST_ID_HEADERS[0], requestId, REQUEST_ID_HEADERS[1], requestId];
}

/** The id given to the request of this response; empty outside the relay's own server. */
export function requestIdOf(res: ServerResponse): string {
  const value = res.getHeader(REQUEST_ID_HEADERS[0]);
  return typeof value === 'string' ? value : ((res as WithId)[idKey] ?? '');
}
