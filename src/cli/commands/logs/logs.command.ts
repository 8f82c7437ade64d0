import { InvalidArgumentError, Option, type Command } from 'commander';
import { logLevels } from '../../../kernel/log/log-record.js';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';
import { logParts } from './log-line.js';

const DEFAULT_LINES = 50;
/** All of them are held in memory, to be merged by time. */
const MOST_LINES = 10_000;

const moreHelp = `
Without a node: the logs of ferry up on this computer (relay.log and node.log in <data directory>/logs) and of the services
of ferry service install, merged by time. With a node of another computer: what the relay knows about it, which is its jobs, its failed
requests, its changes and its current problem. Lines without a level, such as the trace of a crash, are always shown.

ferry serve and ferry node run keep no log: they write it to stderr, as JSON where that is no terminal.
`;

function parseLines(text: string): number {
  const lines = parseCount(text);
  if (lines > MOST_LINES) throw new InvalidArgumentError(`must be at most ${String(MOST_LINES)}`);
  return lines;
}

const withLineFlags = (logs: Command): Command =>
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

/** `ferry logs`: what relay and node on this computer have logged, or what the relay knows of a node elsewhere. */
export function registerLogs(program: Command, cli: Cli): void {
  withLineFlags(program.command('logs').argument('[node]', 'a node, by name or id (default: this computer)'))
    .addOption(new Option('--part <part>', 'only the log of this program on this computer').choices(logParts))
    .description('show the log of Ferry on this computer, or what the relay knows about a node')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./show-logs.js')).showLogs));
}
