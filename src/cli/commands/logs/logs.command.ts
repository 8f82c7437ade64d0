import { Option, type Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';
import { withLineFlags } from '../local-logs/local-logs.command.js';
import { logParts } from '../local-logs/log-line.js';

const moreHelp = `
Without a node: the logs of ferry up on this computer (relay.log and node.log in <data directory>/logs) and of the services
of ferry service install, merged by time. With a node of another computer: what the relay knows about it, which is its
connections, its jobs, its failed requests, its changes and its current problem. Lines without a level, such as the trace of a crash, are always shown.

ferry serve and ferry node run keep no log: they write it to stderr, as JSON where that is no terminal.
`;

/** `ferry logs`: what relay and node on this computer have logged, or what the relay knows of a node elsewhere. */
export function registerLogs(program: Command, cli: Cli): void {
  withLineFlags(program.command('logs').argument('[node]', 'a node, by name or id (default: this computer)'))
    .addOption(new Option('--part <part>', 'only the log of this program on this computer').choices(logParts))
    .description('show the log of Ferry on this computer, or what the relay knows about a node')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./show-logs.js')).showLogs));
}
