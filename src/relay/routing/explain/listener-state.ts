import type { ObservedRequest } from '../request/routed-request.js';
import type { AttemptRecord } from '../selection/routing-stats.js';
import type { OpenTrace } from './trace-store.js';

/** State of a request for its listeners; it is dropped when the request ends. */
export class ListenerState {
  /** Undefined: no decision was noted, or it is finished. */
  trace: OpenTrace | undefined = undefined;
  /** Undefined: no node has the request. */
  attempt: AttemptRecord | undefined = undefined;
  /** The same of its hedge. */
  hedge: AttemptRecord | undefined = undefined;
}

/** Finds the state of a request or of its hedge. */
export function listenerStateOf(request: ObservedRequest): ListenerState {
  const { listenerState: state } = request;
  if (state instanceof ListenerState) return state;
  const first = new ListenerState();
  request.listenerState = first;
  return first;
}
