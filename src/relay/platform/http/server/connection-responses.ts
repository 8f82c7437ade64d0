import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The last response of a connection that is not over yet, on the connection itself: a table would be looked into four times for each
 * request. A pipelined response waits for those before it.
 */
const newest = Symbol('ferry.newest-response');
type Connection = Duplex & { [newest]?: ServerResponse | undefined };

/** To be called when a request arrives. @returns the response that has to close before the new one may begin, if any */
export function enqueueResponse(socket: Connection, res: ServerResponse): ServerResponse | undefined {
  const ahead = socket[newest];
  socket[newest] = res;
  return ahead;
}

/** To be called when the response has closed, so that an idle connection does not keep it in memory. */
export function dequeueResponse(socket: Connection, res: ServerResponse): void {
  if (socket[newest] === res) socket[newest] = undefined;
}

/** True when the head of a response was sent and its end was not. */
export function isResponding(socket: Connection): boolean {
  const res = socket[newest];
  if (res === undefined || res.writableFinished) return false;
  // One without a socket waits for another response.
  return res.socket === null || res.headersSent;
}
