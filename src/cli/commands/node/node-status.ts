import path from 'node:path';
import { dataDirectory } from '../../../kernel/data-directory.js';
import { readInstance } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { localMinute, unixSecondsOf } from '../../core/output/time.js';
import type { NodeStatus } from './this-node.shape.js';

type NodeOperation = NonNullable<NodeStatus['operations']>[number];

/**
 * Asks the node process of this data directory over its lock. For programs its whole response, `pid` included.
 * @throws CliError (not found) when no node runs there
 */
export async function showNodeStatus(invocation: Invocation): Promise<void> {
  const { terminal, env } = invocation;
  const directory = path.join(dataDirectory(env), 'node');
  const status = (await readInstance(directory, 'node')) as NodeStatus | undefined;
  if (status === undefined) {
    throw new CliError('node_not_running', exitCodes.notFound, `no node is running on ${directory}`, {
      hint: 'ferry up, or ferry node run',
    });
  }
  const { diagnoseEngineFiles } = await import('../../../agent/main.js');
  const problems = (await diagnoseEngineFiles({ env })).map(({ summary, next }) => ({ summary, next }));
  await printData(invocation, { ...status, problems }, () => {
    for (const line of describe(status)) terminal.print(printable(line));
    for (const { summary } of problems) terminal.print(printable(`Problem  ${summary}`));
    if (problems.length > 0) terminal.note('What to do: ferry node doctor');
  });
}

function versionOf({ agent_version: own, relay_version: relay, update }: NodeStatus): string | undefined {
  if (update === undefined || update === null) return own;
  return `${own ?? '-'}, the relay has ${relay ?? 'another one'}. Update: ${update}`;
}

function describe(status: NodeStatus): string[] {
  const connection = status.connected === true ? 'connected' : 'not connected';
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Node', [status.node_name, status.node_id].filter((part) => part !== undefined).join('  ')],
    ['Process', String(status.pid ?? '-')],
    ['Version', versionOf(status)],
    ['Relay', status.relay_url],
    [
      'State',
      `${connection}${status.draining === true ? ', draining' : ''} since ${status.since === undefined ? '-' : localMinute(unixSecondsOf(status.since))}`,
    ],
    ['Engines', status.engines?.map((engine) => describeEngine(engine, status)).join(', ')],
    ['Models', status.models?.map(describeModel).join(', ')],
    ['Slots', status.slots?.map((slot) => `${slot.name} ${slot.slots_used} of ${slot.slots_total} in use`).join(', ')],
    ['Jobs', status.operations?.map(describeJob).join(', ')],
  ];
  return rows.map(([name, value]) => `${name.padEnd(9)}${value === undefined || value === '' ? '-' : value}`);
}

function describeEngine(
  { name, version }: NonNullable<NodeStatus['engines']>[number],
  { slots }: Pick<NodeStatus, 'slots'>,
): string {
  const problem = slots?.find((slot) => slot.name === name)?.problem;
  if (problem !== undefined) return `${name} ${problem}`;
  return version === null ? name : `${name} (${version})`;
}

const describeModel = ({ display_name: name, state, reason }: NonNullable<NodeStatus['models']>[number]): string =>
  reason === undefined || reason === null ? `${name} (${state})` : `${name} (${state}, ${reason.replaceAll('_', ' ')})`;

function describeJob({ kind, subject, phase, completed_bytes: completed, total_bytes: total }: NodeOperation): string {
  const share = completed === null || total === null || total === 0 ? '' : ` ${Math.floor((completed / total) * 100)}%`;
  return `${kind} ${subject} (${phase}${share})`;
}
