import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { ApproveOptions } from './approve-node.js';

/** `ferry nodes`: the computers of the account. `ferry node` is about this computer. */
export function registerNodes(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listNodes } = await import('./show-nodes.js');
    await listNodes(invocationOf(cli, command));
  };
  const nodes = program.command('nodes').description('list the nodes of the account, and manage them').action(list);
  nodes.command('list').alias('ls').description('list the nodes').action(list);
  on(nodes, 'show')
    .description('show everything about one node')
    .action(async (node: string, _options: unknown, command: Command) => {
      const { showNode } = await import('./show-nodes.js');
      await showNode(invocationOf(cli, command), node);
    });
  registerJoining(nodes, cli);
  registerChanges(nodes, cli);
  registerEndings(nodes, cli);
}

function registerJoining(nodes: Command, cli: Cli): void {
  nodes
    .command('join-token')
    .option('--cluster <cluster>', 'cluster that the new node will belong to: its id or name (default: home)')
    .description('create a join token for one computer; the token alone is printed on stdout')
    .action(async (options: { cluster?: string }, command: Command) => {
      const { createJoinToken } = await import('./manage-nodes.js');
      await createJoinToken(invocationOf(cli, command), options.cluster);
    });
  nodes
    .command('approve')
    .argument('<code>', 'the code that the computer shows: XXXX-XXXX')
    .option('--cluster <cluster>', 'cluster that the node will belong to: its id or name (default: home)')
    .option('--name <name>', 'name of the node (default: what the computer calls itself)')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('approve a device code; the node gets no prompts until it is confirmed')
    .action(async (code: string, options: ApproveOptions, command: Command) => {
      const { approveNode } = await import('./approve-node.js');
      await approveNode(invocationOf(cli, command), code, options);
    });
  on(nodes, 'confirm')
    .argument('<words...>', 'the fingerprint that the computer shows, as words')
    .description('confirm the fingerprint of an approved node, which lets it connect')
    .action(async (node: string, words: string[], _options: unknown, command: Command) => {
      const { confirmNode } = await import('./manage-nodes.js');
      await confirmNode(invocationOf(cli, command), node, words);
    });
}

function registerChanges(nodes: Command, cli: Cli): void {
  on(nodes, 'rename')
    .argument('<name>', 'its new name')
    .description('rename a node')
    .action(async (node: string, name: string, _options: unknown, command: Command) => {
      const { renameNode } = await import('./manage-nodes.js');
      await renameNode(invocationOf(cli, command), node, name);
    });
  on(nodes, 'move')
    .argument('<cluster>', 'id or name of the cluster')
    .description('move a node to another cluster')
    .action(async (node: string, cluster: string, _options: unknown, command: Command) => {
      const { moveNode } = await import('./manage-nodes.js');
      await moveNode(invocationOf(cli, command), node, cluster);
    });
  on(nodes, 'pause')
    .description('send a node no new requests; it stays connected')
    .action(async (node: string, _options: unknown, command: Command) => {
      const { pauseNode } = await import('./manage-nodes.js');
      await pauseNode(invocationOf(cli, command), node);
    });
  on(nodes, 'resume')
    .description('send a paused node requests again')
    .action(async (node: string, _options: unknown, command: Command) => {
      const { resumeNode } = await import('./manage-nodes.js');
      await resumeNode(invocationOf(cli, command), node);
    });
}

function registerEndings(nodes: Command, cli: Cli): void {
  on(nodes, 'revoke')
    .description('remove a node from the account; it is disconnected at once')
    .action(async (node: string, _options: unknown, command: Command) => {
      const { revokeNode } = await import('./manage-nodes.js');
      await revokeNode(invocationOf(cli, command), node);
    });
  on(nodes, 'delete')
    .alias('rm')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke a node and delete what is stored about it')
    .action(async (node: string, options: { yes?: true }, command: Command) => {
      const { deleteNode } = await import('./manage-nodes.js');
      await deleteNode(invocationOf(cli, command), node, options);
    });
}

const on = (nodes: Command, name: string): Command => nodes.command(name).argument('<node>', 'id or name of the node');
