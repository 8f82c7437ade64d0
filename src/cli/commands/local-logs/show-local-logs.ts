import { setTimeout as delay } from 'node:timers/promises';
import type { LogLevel, LogRecord } from '../../../kernel/log/log-record.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { findLocalLogs } from './find-local-logs.js';
import { byTime, hasLevel, type LogPart } from './log-line.js';
import { createLogPrinter } from './print-log-lines.js';

export interface LocalLogOptions {
  readonly lines: number;
  readonly follow?: true;
  readonly level?: LogLevel;
}

/** Time between two checks of the files. */
const FOLLOW_EVERY_MS = 250;

/** The logs of these programs on this computer, merged by time. @throws CliError (not found) when there is none */
export async function showLocalLogs(
  invocation: Invocation,
  parts: readonly LogPart[],
  { lines, follow, level }: LocalLogOptions,
): Promise<void> {
  const isRequested = (record: LogRecord): boolean => hasLevel(record, level);
  const sources = await findLocalLogs(invocation, parts);
  const print = await createLogPrinter(invocation, parts.length > 1);
  try {
    const last = await Promise.all(sources.map((source) => source.last(lines, isRequested)));
    print(byTime(last.flat()).slice(-lines));
    if (follow !== true) return;
    await endedByCtrlC(async (signal) => {
      while (!signal.aborted) {
        const added = await Promise.all(sources.map((source) => source.added()));
        print(byTime(added.flat().filter(({ record }) => isRequested(record))));
        await delay(FOLLOW_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    });
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

/** `ferry node logs` and `ferry-node logs`. */
export const showNodeLogs = (invocation: Invocation, options: LocalLogOptions): Promise<void> =>
  showLocalLogs(invocation, ['node'], options);

/** @throws CommandEnded (130) when Ctrl-C ended it */
export const endedByCtrlC = (work: (stop: AbortSignal) => Promise<void>): Promise<void> =>
  untilStopped(async (stop) => {
    await work(stop);
    if (stop.aborted) throw new CommandEnded(exitCodes.interrupted);
  });
