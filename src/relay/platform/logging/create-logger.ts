import { pino, type Logger } from 'pino';
import { logDestination } from '../../../kernel/log/log-destination.js';
import { BatchedLines, type LineDestination } from './batched-lines.js';

const STDERR = 2;
/** More than one batch of lines: only {@link BatchedLines} decides when a write starts. */
const MIN_WRITE_BYTES = 128 * 1024;
/** pino's destination wants it larger. */
const MAX_WRITE_BYTES = 2 * MIN_WRITE_BYTES;
/** While the log cannot be written, such as on a full disk. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

export interface RelayLog {
  readonly logger: Logger;
  /** Takes finished JSON lines that may wait for others, for a moment; the logger writes at once. */
  readonly laterLines: { write(line: string): unknown };
  /** Writes all lines, also those that wait, before it returns. */
  close(): void;
}

/**
 * JSON lines on stderr, text where that is a terminal; stdout is for data. Written asynchronously, so that a slow reader of the log does
 * not slow requests.
 * @param base members of every line of the logger
 */
export function createLogger(level: string, base?: Readonly<Record<string, number>>): RelayLog {
  const destination = pino.destination({
    dest: STDERR,
    sync: false,
    contentMode: 'buffer',
    minLength: MIN_WRITE_BYTES,
    maxWrite: MAX_WRITE_BYTES,
    maxLength: MAX_UNWRITTEN_BYTES,
  });
  // In this mode it takes buffers, which its types do not know.
  const lines = new BatchedLines(destination as unknown as LineDestination);
  const urgent = { write: (line: string) => lines.write(line) };
  const later = { write: (line: string) => lines.writeLater(line) };
  const logger = pino(
    {
      level,
      base: base ?? null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    logDestination(urgent, process.stderr, process.env),
  );
  const flush = (): void => {
    lines.flushSync();
  };
  // Runs also after an exception that no code catches.
  process.on('exit', flush);
  return {
    logger,
    laterLines: logDestination(later, process.stderr, process.env),
    close: () => {
      process.off('exit', flush);
      flush();
    },
  };
}
