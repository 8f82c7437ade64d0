import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemClock, type Clock } from '../../../kernel/clock.js';
import { isProbe } from '../http/probe.js';
import type { RequestContext } from '../http/request-context.js';
import type { RelayLog } from './create-logger.js';
import { RequestLines } from './request-lines.js';

const FIRST_ERROR = 400;
const INTERNAL = 500;

/** Outcome of a request that was not routed. A client that was refused during its upload has a response: it did not disconnect. */
function outcomeOf(res: ServerResponse): RequestContext['outcome'] {
  if (res.headersSent && res.statusCode >= FIRST_ERROR) return res.statusCode === INTERNAL ? 'failed' : 'rejected';
  return res.writableFinished ? undefined : 'cancelled';
}

/** Read at every use, because these settings may change while the relay runs. */
export interface RequestLogSettings {
  /** This many of a hundred successful requests get a line. */
  readonly logSuccessPercent: number;
}

export function createRequestLog(
  { logger, laterLines }: Pick<RelayLog, 'logger' | 'laterLines'>,
  settings: RequestLogSettings,
  clock: Clock = systemClock,
): (req: IncomingMessage, res: ServerResponse, context: RequestContext) => void {
  // Spreads the lines evenly: one of 25 % comes after three requests without one.
  let due = 0;
  const lines = new RequestLines();
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
    laterLines.write(lines.of({ req, res, context, outcome, level, nowMs: clock.monotonicMs() }));
  };
}
