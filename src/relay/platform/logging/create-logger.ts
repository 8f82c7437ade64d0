import { pino, type Logger } from 'pino';
import { logDestination } from '../../../kernel/log/log-destination.js';

const STDERR = 2;

export interface RelayLog {
  readonly logger: Logger;
  /** Writes the remaining buffer. */
  flush(): void;
}

/**
 * JSON lines on stderr, text where that is a terminal; stdout is for data. Written asynchronously, so that a slow reader of the log does
 * not slow requests.
 */
export function createLogger(level: string): RelayLog {
  const destination = pino.destination({ dest: STDERR, sync: false });
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    logDestination(destination, process.stderr, process.env),
  );
  return {
    logger,
    flush: () => {
      destination.flushSync();
    },
  };
}
