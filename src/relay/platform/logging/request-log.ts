import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { isProbe } from '../http/probe.js';
import type { RequestContext } from '../http/request-context.js';

const FIRST_ERROR = 400;
const INTERNAL = 500;

/** Express puts the matched route here; never the path that was asked for, which may hold anything. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/**
 * One line per request. Every field stands in this list (docs/reference/security.md#logs): no header, no body, nothing that a prompt or a
 * credential could get into.
 */
export function requestLogLine(
  req: IncomingMessage,
  res: ServerResponse,
  context: RequestContext,
  nowMs: number,
): Record<string, unknown> {
  const path = (req as RoutedRequest).route?.path;
  return {
    req_id: context.requestId,
    method: req.method,
    route: typeof path === 'string' ? path : null,
    status: res.headersSent ? res.statusCode : null,
    account: context.accountId,
    key: context.apiKeyId,
    cluster: context.clusterId,
    node: context.nodeId,
    model: context.model,
    outcome: context.outcome ?? outcomeOf(res),
    bytes: req.socket.bytesWritten - context.bytesWrittenBefore,
    ttfb_ms: context.firstByteAtMs === undefined ? undefined : Math.round(context.firstByteAtMs - context.arrivedAtMs),
    duration_ms: Math.round(nowMs - context.arrivedAtMs),
  };
}

/** Of a request that no routing has settled. Whoever was refused in the middle of an upload has its answer: it did not leave. */
function outcomeOf(res: ServerResponse): RequestContext['outcome'] {
  if (res.headersSent && res.statusCode >= FIRST_ERROR) return res.statusCode === INTERNAL ? 'failed' : 'rejected';
  return res.writableFinished ? undefined : 'cancelled';
}

export function createRequestLog(
  logger: Logger,
  clock: Clock = systemClock,
): (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void {
  return (req, res, context) => {
    // They would drown everything else.
    const level = isProbe(req) ? 'debug' : 'info';
    if (logger.isLevelEnabled(level)) logger[level](requestLogLine(req, res, context, clock.monotonicMs()), 'request');
  };
}
