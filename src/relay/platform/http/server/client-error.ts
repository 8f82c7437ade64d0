import type { Duplex } from 'node:stream';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { createRequestId } from '../../../../kernel/ids.js';
import { isResponding } from './connection-responses.js';
import { endWithResponse } from './end-with-response.js';
import { serializeOpenAiError } from '../errors/openai-error.js';

const problems: Readonly<Record<string, { readonly status: number; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
};

const MALFORMED = { status: 400, message: 'The request is not valid HTTP/1.1.' };

/**
 * Answers malformed requests with a complete error and closes the connection, since the beginning of the next request is
 * unknown.
 */
export function respondToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  // The client would read them as a part of the response under way.
  if (!socket.writable || error.code === 'ECONNRESET' || isResponding(socket)) {
    socket.destroy();
    return;
  }
  const { status, message } = problems[error.code ?? ''] ?? MALFORMED;
  const requestId = createRequestId();
  const { headers, body } = serializeOpenAiError(new FerryError('invalid_request', message, { status }), requestId);
  const ids = { 'x-request-id': requestId, 'request-id': requestId };
  endWithResponse(socket, { status, headers: { ...headers, ...ids }, body });
}
