import type { IncomingMessage } from 'node:http';
import { systemClock } from '../../../kernel/clock.js';
import {
  createRequestId,
  type AccountId,
  type ApiKeyId,
  type ClusterId,
  type NodeId,
  type RequestId,
} from '../../../kernel/ids.js';

/** Time and bytes for which a refused upload is still received (docs/reference/limits.md#bodies-and-timeouts). */
export interface LingerLimits {
  readonly ms: number;
  readonly bytes: number;
}

/** How a request ended (docs/reference/request-lifecycle.md#one-owner-per-request). */
export type RequestOutcome = 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'rejected';

/** State of one HTTP request. Guards and controllers fill in the fields; the request log reads them at the end. */
export interface RequestContext {
  readonly requestId: RequestId;
  /** Monotonic. */
  readonly arrivedAtMs: number;
  readonly linger: LingerLimits;
  /** Bytes read by the socket before this request. */
  readonly bytesWrittenBefore: number;
  /** The client waits for `100 Continue` before it sends its body. */
  awaitsContinue: boolean;
  /** Set by the guard that verified the credential; bodies in memory are counted against it. */
  accountId: AccountId | undefined;
  apiKeyId: ApiKeyId | undefined;
  clusterId: ClusterId | undefined;
  nodeId: NodeId | undefined;
  /** The id or selector that the client asked for, once it is known to exist. */
  model: string | undefined;
  outcome: RequestOutcome | undefined;
  /** Monotonic; when the first bytes of the response were written. */
  firstByteAtMs: number | undefined;
}

const DEFAULT_LINGER: LingerLimits = { ms: 1_000, bytes: 65_536 };

const contextKey = Symbol('ferry.request');

type WithContext = IncomingMessage & { [contextKey]?: RequestContext };

export function createContext(requestId: RequestId, linger: LingerLimits, bytesWrittenBefore = 0): RequestContext {
  return {
    requestId,
    arrivedAtMs: systemClock.monotonicMs(),
    linger,
    bytesWrittenBefore,
    awaitsContinue: false,
    accountId: undefined,
    apiKeyId: undefined,
    clusterId: undefined,
    nodeId: undefined,
    model: undefined,
    outcome: undefined,
    firstByteAtMs: undefined,
  };
}

export function attachContext(request: IncomingMessage, context: RequestContext): void {
  (request as WithContext)[contextKey] = context;
}

/** The context of the request; a new one outside the relay's own server. */
export function contextOf(request: IncomingMessage): RequestContext {
  const known = (request as WithContext)[contextKey];
  if (known !== undefined) return known;
  const context = createContext(createRequestId(), DEFAULT_LINGER);
  attachContext(request, context);
  return context;
}
