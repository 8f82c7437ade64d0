import { logText } from '../../../kernel/log/log-text.js';
import type { Invocation } from '../../invocation.js';
import type { LogLine } from './log-line.js';

/** One after the other; for programs a document for each. */
export type PrintLogLines = (lines: readonly LogLine[]) => void;

/** @param withPart the lines are of several programs */
export async function createLogPrinter(
  { terminal, global }: Pick<Invocation, 'terminal' | 'global'>,
  withPart: boolean,
): Promise<PrintLogLines> {
  switch (global.output) {
    case 'json':
      return (lines) => {
        for (const line of lines) terminal.print(JSON.stringify(documentOf(line)));
      };
    case 'yaml': {
      const { stringify } = await import('yaml');
      return (lines) => {
        for (const line of lines) terminal.print(`---\n${stringify(documentOf(line), { lineWidth: 0 }).trimEnd()}`);
      };
    }
    case 'table':
      return (lines) => {
        // A pipe may be read on another day, so its lines keep their dates.
        const nowMs = terminal.columns === undefined || global.wide ? undefined : Date.now();
        for (const { part, record } of lines) {
          terminal.print(logText(record, { colors: terminal.stdoutColors, part: withPart ? part : undefined, nowMs }));
        }
      };
    default:
      return global.output satisfies never;
  }
}

const documentOf = ({ part, record: { timeMs, level, message, fields } }: LogLine): object => ({
  object: 'log_line',
  time: timeMs === null ? null : new Date(timeMs).toISOString(),
  part,
  level,
  message,
  fields,
});
