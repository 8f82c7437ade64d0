import { InvalidArgumentError, Option, type Command } from 'commander';
import { logLevels } from '../../../kernel/log/log-record.js';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

const DEFAULT_LINES = 50;
/** All of them are held in memory, to be merged by time. */
const MOST_LINES = 10_000;

function parseLines(text: string): number {
  const lines = parseCount(text);
  if (lines > MOST_LINES) throw new InvalidArgumentError(`at most ${String(MOST_LINES)}`);
  return lines;
}

export const withLineFlags = (logs: Command): Command =>
  logs
    .option('-n, --lines <count>', 'number of lines, the newest', parseLines, DEFAULT_LINES)
    .option('-f, --follow', 'show new lines as they come, until Ctrl-C')
    .addOption(new Option('--level <level>', 'only lines of this level and above').choices(logLevels));

/** `ferry node logs`: the node alone, without asking a relay. */
export function registerNodeLogs(node: Command, cli: Cli): void {
  withLineFlags(node.command('logs'))
    .description('show the log of the node on this computer')
    .action(lazyAction(cli, async () => (await import('./show-local-logs.js')).showNodeLogs));
}
