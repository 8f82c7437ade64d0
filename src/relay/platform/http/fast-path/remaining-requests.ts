import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const requests = Symbol('ferry.requests');
type Connection = Socket & { [requests]?: number };
/** What Node writes as `max` of `Keep-Alive`: the limit itself, with every response, unless it is told what is left of it. */
type Limited = ServerResponse & { _maxRequestsPerSocket: number };

/** To be called once for each request of a connection. @param limit of requests per connection */
export function tellRemainingRequests({ socket }: IncomingMessage, res: ServerResponse, limit: number): void {
  const connection: Connection = socket;
  const count = (connection[requests] ?? 0) + 1;
  connection[requests] = count;
  (res as Limited)._maxRequestsPerSocket = limit - count;
}
