import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { isProbe } from '../http/probe.js';
import type { RequestContext } from '../http/request-context.js';
import type { RelayLog } from './create-logger.js';

const FIRST_ERROR = 400;
const INTERNAL = 500;

/** The matched route, set by Express. Never the requested path, which may contain anything. */
type RoutedRequest = IncomingMessage & { readonly route?: { readonly path?: unknown } };

/**
 * One line per request, with only the fields of this list (docs/reference/security.md#logs): no headers and no body, so that no prompt and
 * no credential is logged. Written as text: pino takes several times as long for an object.
 */
export function requestLogLine(
  req: IncomingMessage,
  res: ServerResponse,
  context: RequestContext,
  nowMs: number,
  level: 'debug' | 'info',
  outcome = context.outcome ?? outcomeOf(res),
): string {
  const path = (req as RoutedRequest).route?.path;
  const { firstByteAtMs } = context;
  return (
    `{"level":"${level}","time":"${isoTime()}","req_id":"${context.requestId}"` +
    plainField('method', req.method) +
    `,"route":${typeof path === 'string' ? JSON.stringify(path) : 'null'},"status":${res.headersSent ? res.statusCode : 'null'}` +
    plainField('account', context.accountId) +
    plainField('key', context.apiKeyId) +
    plainField('cluster', context.clusterId) +
    plainField('node', context.nodeId) +
    (context.model === undefined ? '' : `,"model":${JSON.stringify(context.model)}`) +
    plainField('outcome', outcome) +
    `,"bytes":${req.socket.bytesWritten - context.bytesWrittenBefore}` +
    (firstByteAtMs === undefined ? '' : `,"ttfb_ms":${Math.round(firstByteAtMs - context.arrivedAtMs)}`) +
    `,"duration_ms":${Math.round(nowMs - context.arrivedAtMs)},"msg":"request"}\n`
  );
}

/** @param value a method that Node knows, an id that a relay made, or an outcome: nothing that JSON escapes */
const plainField = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

let formattedMs = 0;
let formatted = '';

/** Formatting takes longer than all other fields together, and many requests end in one millisecond. */
function isoTime(): string {
  const nowMs = Date.now();
  if (nowMs === formattedMs) return formatted;
  formattedMs = nowMs;
  return (formatted = new Date(nowMs).toISOString());
}

/** Outcome of a request that was not routed. A client that was refused during its upload has an answer: it did not disconnect. */
function outcomeOf(res: ServerResponse): RequestContext['outcome'] {
  if (res.headersSent && res.statusCode >= FIRST_ERROR) return res.statusCode === INTERNAL ? 'failed' : 'rejected';
  return res.writableFinished ? undefined : 'cancelled';
}

/** Of the settings, which may change while the relay runs. */
export interface RequestLogSettings {
  /** Of the successful requests, how many of a hundred get a line. */
  readonly logSuccessPercent: number;
}

export function createRequestLog(
  { logger, laterLines }: Pick<RelayLog, 'logger' | 'laterLines'>,
  settings: RequestLogSettings,
  clock: Clock = systemClock,
): (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void {
  // Spreads the lines evenly: one of 25 % comes after three requests without one.
  let due = 0;
  return (req, res, context) => {
    // Probes are frequent.
    const level = isProbe(req) ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    const outcome = context.outcome ?? outcomeOf(res);
    if (outcome === undefined || outcome === 'completed') {
      due += settings.logSuccessPercent;
      if (due < 100) return;
      due -= 100;
    }
    laterLines.write(requestLogLine(req, res, context, clock.monotonicMs(), level, outcome));
  };
}
