import { setTimeout as delay } from 'node:timers/promises';
import { dataDirectory } from '../../../kernel/data-directory.js';
import type { LogLevel, LogRecord } from '../../../kernel/log/log-record.js';
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { untilStopped } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { findLocalLogs } from './local-logs.js';
import { byTime, hasLevel, logParts, type LogPart, type LogSource } from './log-line.js';
import { createLogPrinter, type PrintLogLines } from './print-log-lines.js';

interface LogsOptions {
  readonly lines: number;
  readonly follow?: true;
  readonly level?: LogLevel;
  readonly part?: LogPart;
}

/** Between two looks at the files. */
const FOLLOW_EVERY_MS = 250;

export async function showLogs(invocation: Invocation, node: string | undefined, options: LogsOptions): Promise<void> {
  const place = node === undefined ? 'here' : await placeOf(invocation, node);
  const isWanted = (record: LogRecord): boolean => hasLevel(record, options.level);
  if (place === 'here') {
    const parts = options.part === undefined ? (node === undefined ? logParts : ['node' as const]) : [options.part];
    const sources = await findLocalLogs(invocation, parts);
    const print = await createLogPrinter(invocation, parts.length > 1);
    await showLocalLogs(sources, { lines: options.lines, isWanted, print, follow: options.follow === true });
    return;
  }
  if (options.part !== undefined) {
    throw new CliError('usage', exitCodes.usage, '--part is for the log of this computer', {
      hint: `ferry logs ${node ?? ''} without it, or ferry logs --part ${options.part} on that computer`,
    });
  }
  const { showRelayView } = await import('./show-relay-view.js');
  const print = await createLogPrinter(invocation, false);
  const { lines, follow } = options;
  const { api, nodeId } = place;
  await endedByCtrlC((signal) =>
    showRelayView({ api, nodeId, lines, isWanted, print, terminal: invocation.terminal }, follow && signal),
  );
}

/** Whether the node is the one of this computer. @throws CliError when there is no such node */
async function placeOf(
  invocation: Invocation,
  node: string,
): Promise<'here' | { readonly api: ManagementApi; readonly nodeId: string }> {
  const { readIdentity } = await import('../../../agent/main.js');
  // Whatever is wrong with the file: the relay is asked then.
  const own = await readIdentity(dataDirectory(invocation.env)).catch(() => undefined);
  if (own?.node_id === node) return 'here';
  const api = await connect(invocation);
  const nodeId = await findNode(api, node);
  return nodeId === own?.node_id ? 'here' : { api, nodeId };
}

interface LocalView {
  readonly lines: number;
  readonly isWanted: (record: LogRecord) => boolean;
  readonly print: PrintLogLines;
  readonly follow: boolean;
}

async function showLocalLogs(
  sources: readonly LogSource[],
  { lines, isWanted, print, follow }: LocalView,
): Promise<void> {
  try {
    const last = await Promise.all(sources.map((source) => source.last(lines, isWanted)));
    print(byTime(last.flat()).slice(-lines));
    if (!follow) return;
    await endedByCtrlC(async (signal) => {
      while (!signal.aborted) {
        const added = await Promise.all(sources.map((source) => source.added()));
        print(byTime(added.flat().filter(({ record }) => isWanted(record))));
        await delay(FOLLOW_EVERY_MS, undefined, { signal }).catch(() => undefined);
      }
    });
  } finally {
    await Promise.all(sources.map((source) => source.close()));
  }
}

/** @throws CommandEnded (130) when Ctrl-C ended it */
const endedByCtrlC = (work: (stop: AbortSignal) => Promise<void>): Promise<void> =>
  untilStopped(async (stop) => {
    await work(stop);
    if (stop.aborted) throw new CommandEnded(exitCodes.interrupted);
  });
