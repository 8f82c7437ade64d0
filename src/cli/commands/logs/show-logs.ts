import { dataDirectory } from '../../../kernel/data-directory.js';
import type { LogRecord } from '../../../kernel/log/log-record.js';
import { connect } from '../../core/api/connect.js';
import { findNode } from '../../core/api/find-node.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { hasLevel, logParts, type LogPart } from '../local-logs/log-line.js';
import { createLogPrinter } from '../local-logs/print-log-lines.js';
import { endedByCtrlC, showLocalLogs, type LocalLogOptions } from '../local-logs/show-local-logs.js';

interface LogsOptions extends LocalLogOptions {
  readonly part?: LogPart;
}

export async function showLogs(invocation: Invocation, node: string | undefined, options: LogsOptions): Promise<void> {
  const place = node === undefined ? 'here' : await placeOf(invocation, node);
  if (place === 'here') {
    const parts = options.part === undefined ? (node === undefined ? logParts : ['node' as const]) : [options.part];
    await showLocalLogs(invocation, parts, options);
    return;
  }
  if (options.part !== undefined) {
    throw new CliError('usage', exitCodes.usage, '--part is for the log of this computer', {
      hint: `ferry logs ${node ?? ''} without it, or ferry logs --part ${options.part} on that computer`,
    });
  }
  const { showRelayView } = await import('./show-relay-view.js');
  const print = await createLogPrinter(invocation, false);
  const { lines, follow, level } = options;
  const isWanted = (record: LogRecord): boolean => hasLevel(record, level);
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
  // If the file cannot be read for any reason, the relay is asked.
  const own = await readIdentity(dataDirectory(invocation.env)).catch(() => undefined);
  if (own?.node_id === node) return 'here';
  const api = await connect(invocation);
  const nodeId = await findNode(api, node);
  return nodeId === own?.node_id ? 'here' : { api, nodeId };
}
