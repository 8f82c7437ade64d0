import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';
import { registerUninstall } from '../uninstall/uninstall.command.js';
import { registerNodeLogs } from '../local-logs/local-logs.command.js';
import { addNodeServiceCommands } from '../service/service.command.js';

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/** `ferry node`: this computer as a node. `ferry nodes` lists all of the account's. */
export function registerNode(program: Command, cli: Cli): void {
  addNodeCommands(program.command('node').description('run and manage the node on this computer'), cli);
}

/** The commands themselves: also those of `ferry-node`, the agent in one file. */
export function addNodeCommands(node: Command, cli: Cli): void {
  node
    .command('join')
    .argument('[token]', 'join token: ferry-join-…')
    .option('--device-code', 'without a token: show a code to be approved on another computer')
    .option('--relay <url>', 'address of the relay (default: --base-url, else the relay this computer is signed in to)')
    .option('--name <name>', 'name of this computer in lists (default: its host name)')
    .option(
      '--force-insecure',
      'allow a plain http:// relay on another computer: prompts and answers travel unencrypted',
    )
    .option('--force', 'join again although this computer is a node already; its old identity is lost')
    .description('enrol this computer as a node')
    .action(lazyAction(cli, async () => (await import('./join-relay.js')).joinRelay));
  node
    .command('run')
    .option('--relay <url>', 'address of the relay, if it has moved since this computer joined')
    .option('--engine <url>', 'engine to serve instead of the engines file and discovery; may be repeated', collect)
    .option('--force-insecure', 'allow a plain http:// relay on another computer')
    .description('run the node until stopped')
    .action(lazyAction(cli, async () => (await import('./run-node.js')).runNode));
  node
    .command('status')
    .description('show the state of the node on this computer; exit code 5 when none runs')
    .action(lazyAction(cli, async () => (await import('./node-status.js')).showNodeStatus));
  node
    .command('doctor')
    .description('check engines, ports, disk, clock and relay of this node; exit code 1 when a check fails')
    .action(lazyAction(cli, async () => (await import('../doctor/run-doctor.js')).runNodeDoctor));
  registerNodeLogs(node, cli);
  addNodeServiceCommands(node, cli);
  registerUninstall(node, cli, 'node');
}
