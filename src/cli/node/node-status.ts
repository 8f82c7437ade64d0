import path from 'node:path';
import { dataDirectory } from '../../kernel/data-directory.js';
import { readInstance } from '../../kernel/instance-lock.js';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../output/printable.js';

/**
 * What the live node process says about itself over its lock: `{pid, node_id, relay_url, connected, engines, models, slots}`, passed on whole as JSON.
 * @throws CliError (not found) when no node runs on this data directory
 */
export async function showNodeStatus({ terminal, env, global }: Invocation): Promise<void> {
  const directory = path.join(dataDirectory(env), 'node');
  const status = await readInstance(directory, 'node');
  if (status === undefined) {
    throw new CliError('node_not_running', exitCodes.notFound, `no node is running on ${directory}`, {
      hint: 'ferry up, or ferry node run',
    });
  }
  if (global.output === 'json') {
    terminal.print(JSON.stringify(status));
    return;
  }
  const entries = Object.entries(status);
  const width = Math.max(0, ...entries.map(([name]) => name.length));
  for (const [name, value] of entries) {
    terminal.print(`${name.padEnd(width)}  ${printable(typeof value === 'string' ? value : JSON.stringify(value))}`);
  }
}
