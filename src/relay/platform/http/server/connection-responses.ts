import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** The last response of each connection that is not over yet. A pipelined one waits for those before it. */
const newest = new WeakMap<Duplex, ServerResponse>();

/** To be called when a request arrives. @returns the response that has to close before the new one may begin, if any */
export function enqueueResponse(socket: Duplex, res: ServerResponse): ServerResponse | undefined {
  const ahead = newest.get(socket);
  newest.set(socket, res);
  return ahead;
}

/** To be called when the response has closed, so that an idle connection does not keep it in memory. */
export function dequeueResponse(socket: Duplex, res: ServerResponse): void {
  if (newest.get(socket) === res) newest.delete(socket);
}

/** True when the head of a response was sent and its end was not. */
export function isAnswering(socket: Duplex): boolean {
  const res = newest.get(socket);
  if (res === undefined || res.writableFinished) return false;
  // One without a socket waits for another response.
  return res.socket === null || res.headersSent;
}
