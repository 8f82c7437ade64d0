import type { Command } from 'commander';
import { invocationOf, type Cli } from '../invocation.js';

interface JoinOptions {
  relay?: string;
  name?: string;
  force?: true;
  forceInsecure?: true;
}

interface RunOptions {
  relay?: string;
  engine?: string[];
  forceInsecure?: true;
}

const collect = (value: string, earlier: string[] = []): string[] => [...earlier, value];

/** `ferry node`: this computer as a node. `ferry nodes` lists all of the account's. */
export function registerNode(program: Command, cli: Cli): void {
  const node = program.command('node').description('this computer as a node of a relay');
  node
    .command('join')
    .argument('<token>', 'join token: ferry-join-…')
    .option('--relay <url>', 'address of the relay (default: --base-url, else the relay this computer is signed in to)')
    .option('--name <name>', 'name of this computer in lists (default: its host name)')
    .option(
      '--force-insecure',
      'allow a plain http:// relay on another computer: prompts and answers travel unencrypted',
    )
    .option('--force', 'join again although this computer is a node already; its old identity is lost')
    .description('make this computer a node, once')
    .action(async (token: string, options: JoinOptions, command: Command) => {
      const { joinRelay } = await import('./join-relay.js');
      await joinRelay(invocationOf(cli, command), token, options);
    });
  node
    .command('run')
    .option('--relay <url>', 'address of the relay, if it has moved since this computer joined')
    .option(
      '--engine <url>',
      'OpenAI-compatible engine to serve, instead of the engines file; may be repeated',
      collect,
    )
    .option('--force-insecure', 'allow a plain http:// relay on another computer')
    .description('serve the models of this computer until stopped')
    .action(async (options: RunOptions, command: Command) => {
      const { runNode } = await import('./run-node.js');
      await runNode(invocationOf(cli, command), options);
    });
  node
    .command('status')
    .description('what the node on this computer is doing; exit code 5 when none runs')
    .action(async (_options: unknown, command: Command) => {
      const { showNodeStatus } = await import('./node-status.js');
      await showNodeStatus(invocationOf(cli, command));
    });
}
