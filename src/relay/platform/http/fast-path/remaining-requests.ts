import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const requests = Symbol('ferry.requests');
type Connection = Socket & { [requests]?: number };
/** Node writes it as `max` of `Keep-Alive` with every response: the limit itself, unless it is set to the remainder. */
type Limited = ServerResponse & { _maxRequestsPerSocket: number };

/** Call it once for each request of a connection. @param limit of requests per connection */
export function setRemainingRequests({ socket }: IncomingMessage, res: ServerResponse, limit: number): void {
  const connection: Connection = socket;
  const count = (connection[requests] ?? 0) + 1;
  connection[requests] = count;
  (res as Limited)._maxRequestsPerSocket = limit - count;
}
