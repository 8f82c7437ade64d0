import type { ServerResponse } from 'node:http';
import { setRequestIdHeaders } from './request-id.js';
import { lingerOnUpload, uploadPending } from './lingering-close.js';

/** Marks a response whose client left before it: `statusCode` is the one it would have had. Read where refusals are counted. */
export const UNSENT = 'unsent';

export interface CompleteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * Sends a complete response with its length, also while the client is still uploading, and lets it read all of it before the connection
 * closes (docs/reference/limits.md#bodies-and-timeouts). Does nothing if the response is over. If one has begun, its socket is destroyed,
 * so that the client does not take it for complete.
 */
export function sendCompleteResponse(res: ServerResponse, { status, headers, body }: CompleteResponse): void {
  if (res.writableEnded) return;
  if (res.destroyed) {
    if (res.headersSent) return;
    res.statusCode = status;
    res.emit(UNSENT);
    return;
  }
  if (res.headersSent) {
    res.destroy();
    return;
  }
  setRequestIdHeaders(res);
  const pending = uploadPending(res.req);
  res.writeHead(status, {
    ...headers,
    'content-length': Buffer.byteLength(body),
    ...(pending ? { connection: 'close' } : {}),
  });
  if (pending) {
    res.write(body);
    lingerOnUpload(res);
  } else {
    res.end(body);
  }
}
