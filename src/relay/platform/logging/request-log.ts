import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { isProbe } from '../http/probe.js';
import type { RequestContext } from '../http/request-context.js';

const FIRST_ERROR = 400;
const INTERNAL = 500;

/** The matched route, set by Express. Never the requested path, which may contain anything. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/**
 * One line per request, with only the fields of this list (docs/reference/security.md#logs): no headers and no body, so that no prompt and
 * no credential is logged.
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

/** Outcome of a request that was not routed. A client that was refused during its upload has an answer: it did not disconnect. */
function outcomeOf(res: ServerResponse): RequestContext['outcome'] {
  if (res.headersSent && res.statusCode >= FIRST_ERROR) return res.statusCode === INTERNAL ? 'failed' : 'rejected';
  return res.writableFinished ? undefined : 'cancelled';
}

export function createRequestLog(
  logger: Logger,
  clock: Clock = systemClock,
): (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void {
  return (req, res, context) => {
    // Probes are frequent.
    const level = isProbe(req) ? 'debug' : 'info';
    if (logger.isLevelEnabled(level)) logger[level](requestLogLine(req, res, context, clock.monotonicMs()), 'request');
  };
}
