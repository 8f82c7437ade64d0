import { areColorsAllowed } from '../colors.js';
import { parseLogLine } from './log-record.js';
import { logText } from './log-text.js';

interface Destination {
  write(line: string): unknown;
}

/**
 * Where pino writes its lines for stderr: as text where a person reads them, as JSON in a pipe, a file or the journal.
 * @param destination gets the lines
 */
export function logDestination(
  destination: Destination,
  { isTTY }: { readonly isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Destination {
  if (isTTY !== true) return destination;
  const colors = areColorsAllowed(env);
  return {
    write: (line) => destination.write(`${logText(parseLogLine(line), { colors, nowMs: Date.now() })}\n`),
  };
}
