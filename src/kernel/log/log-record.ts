/** One line of a log of relay or node, whatever wrote it. */
import { isJsonObject, parseJson } from '../json-object.js';

/** These are pino's levels, from the least to the most severe. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogRecord {
  /** Unix time; null: the line does not say. */
  readonly timeMs: number | null;
  /** null: the line does not say, such as the trace of a crash. */
  readonly level: LogLevel | null;
  readonly message: string;
  /** Everything else that the line has. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** pino counts its levels in tens: trace is 10. */
const LEVEL_STEP = 10;

/** A JSON line of pino, with a level by name (relay) or by number (node). Any other line is a message without time and level. */
export function parseLogLine(line: string): LogRecord {
  const parsed = line.startsWith('{') ? parseJson(line) : undefined;
  if (!isJsonObject(parsed) || !('level' in parsed)) return { timeMs: null, level: null, message: line, fields: {} };
  const { level, time, msg, ...fields } = parsed;
  return { timeMs: timeOf(time), level: levelOf(level), message: typeof msg === 'string' ? msg : '', fields };
}

function timeOf(time: unknown): number | null {
  const timeMs = typeof time === 'string' ? Date.parse(time) : time;
  // Beyond this no Date exists.
  return typeof timeMs === 'number' && Math.abs(timeMs) <= 8.64e15 ? timeMs : null;
}

const levelOf = (level: unknown): LogLevel | null =>
  logLevels.find((name, index) => name === level || (index + 1) * LEVEL_STEP === level) ?? null;
