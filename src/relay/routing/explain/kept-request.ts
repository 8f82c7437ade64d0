import type { ObservedRequest } from '../request/request-lifecycle-listener.js';
import type { AttemptRecord } from '../selection/routing-stats.js';
import type { OpenTrace } from './trace-store.js';

/** What is kept of a request until it ends. */
export class KeptRequest {
  /** Undefined: no decision was noted, or it is finished. */
  trace: OpenTrace | undefined = undefined;
  /** Undefined: no node has the request. */
  attempt: AttemptRecord | undefined = undefined;
  /** The same of its hedge. */
  hedge: AttemptRecord | undefined = undefined;
}

/** Of a request or its hedge. */
export function keptOf(request: ObservedRequest): KeptRequest {
  const { kept } = request;
  if (kept instanceof KeptRequest) return kept;
  const first = new KeptRequest();
  request.kept = first;
  return first;
}
