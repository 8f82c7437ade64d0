import { logLevels, type LogLevel, type LogRecord } from '../../../kernel/log/log-record.js';

/** The program that wrote a line: `up` is what supervises the other two. */
export const logParts = ['relay', 'node', 'up'] as const;
export type LogPart = (typeof logParts)[number];

export interface LogLine {
  readonly part: LogPart;
  readonly record: LogRecord;
}

/** One log on this computer. */
export interface LogSource {
  /** The newest lines that are wanted, at most so many, oldest first. A line without a time has the time of the one before it. */
  last(count: number, isRequested: (record: LogRecord) => boolean): Promise<readonly LogLine[]>;
  /** Returns the lines added since the last call of either method, without waiting. */
  added(): Promise<readonly LogLine[]>;
  close(): Promise<void>;
}

/** True for a line of at least this level. A line without a level may be the trace of a crash, and is always shown. */
export const hasLevel = ({ level }: LogRecord, least: LogLevel | undefined): boolean =>
  least === undefined || level === null || logLevels.indexOf(level) >= logLevels.indexOf(least);

/** Lines of the same time stay in their order. */
export const byTime = (lines: readonly LogLine[]): readonly LogLine[] =>
  [...lines].sort((one, other) => (one.record.timeMs ?? 0) - (other.record.timeMs ?? 0));
