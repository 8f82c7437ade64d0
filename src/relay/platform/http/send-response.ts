import type { ServerResponse } from 'node:http';
import { lingerOnUpload, uploadPending } from './lingering-close.js';

export interface CompleteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/**
 * Sends a complete response with its length, also while the client is still uploading: it can read the whole answer before
 * the connection goes (docs/reference/limits.md#bodies-and-timeouts). Does nothing on a response that is over; one that has begun cannot
 * be replaced, and its socket is destroyed, so that the client does not take it for complete.
 */
export function sendCompleteResponse(res: ServerResponse, { status, headers, body }: CompleteResponse): void {
  if (res.destroyed || res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
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
