import type { ServerResponse } from 'node:http';
import { createRequestId, type RequestId } from '../../../kernel/ids.js';

/** OpenAI's clients read the first, Anthropic's the second (docs/reference/client-protocols.md#common-http). */
export const REQUEST_ID_HEADERS = ['x-request-id', 'request-id'] as const;

/** Sets the request id on the response. */
export function assignRequestId(res: ServerResponse, create = createRequestId): RequestId {
  const requestId = create();
  for (const header of REQUEST_ID_HEADERS) res.setHeader(header, requestId);
  return requestId;
}

/** The id given to the request of this response; empty outside the relay's own server. */
export const requestIdOf = (res: ServerResponse): string => {
  const value = res.getHeader('x-request-id');
  return typeof value === 'string' ? value : '';
};
