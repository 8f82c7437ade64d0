import type { Command } from 'commander';
import { invocationOf, type Cli } from '../invocation.js';

/** `ferry nodes`: the computers of the account. `ferry node` is about this computer. */
export function registerNodes(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listNodes } = await import('./manage-nodes.js');
    await listNodes(invocationOf(cli, command));
  };
  const nodes = program.command('nodes').description('the computers (nodes) of the account').action(list);
  nodes.command('list').alias('ls').description('the same list').action(list);
  nodes
    .command('join-token')
    .option('--cluster <id>', 'cluster that the new node will belong to (default: home)')
    .description('create a token that adds one computer; the token alone is printed on stdout')
    .action(async (options: { cluster?: string }, command: Command) => {
      const { createJoinToken } = await import('./manage-nodes.js');
      await createJoinToken(invocationOf(cli, command), options.cluster);
    });
  nodes
    .command('revoke')
    .argument('<node>', 'id of the node')
    .description('remove a computer from the account; it is disconnected at once')
    .action(async (node: string, _options: unknown, command: Command) => {
      const { revokeNode } = await import('./manage-nodes.js');
      await revokeNode(invocationOf(cli, command), node);
    });
}
