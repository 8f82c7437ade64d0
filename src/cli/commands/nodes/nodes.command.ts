import { Option, type Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry nodes`: the computers of the account. `ferry node` is about this computer. */
export function registerNodes(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./show-nodes.js')).listNodes);
  const nodes = program.command('nodes').description('list the nodes of the account, and manage them').action(list);
  nodes.command('list').alias('ls').description('list the nodes').action(list);
  on(nodes, 'show')
    .description('show everything about one node')
    .action(lazyAction(cli, async () => (await import('./show-nodes.js')).showNode));
  on(nodes, 'history')
    .addOption(new Option('--range <range>', 'how far back').choices(['hour', 'day', 'week']).default('hour'))
    .description('show slots, tokens a second and memory of one node over time')
    .action(lazyAction(cli, async () => (await import('./node-history.js')).showNodeHistory));
  registerJoining(nodes, cli);
  registerChanges(nodes, cli);
  registerEndings(nodes, cli);
}

function registerJoining(nodes: Command, cli: Cli): void {
  nodes
    .command('join-token')
    .alias('add')
    .option('--cluster <cluster>', 'cluster that the new node will belong to: its id or name (default: home)')
    .description('create a join token for one computer; the token alone is printed on stdout')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).createJoinToken));
  nodes
    .command('join-tokens')
    .description('list unused join tokens')
    .action(lazyAction(cli, async () => (await import('./join-tokens.js')).listJoinTokens));
  nodes
    .command('revoke-join-token')
    .argument('<token>', 'id of the join token')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke an unused join token')
    .action(lazyAction(cli, async () => (await import('./join-tokens.js')).revokeJoinToken));
  nodes
    .command('approve')
    .argument('<code>', 'the code that the computer shows: XXXX-XXXX')
    .option('--cluster <cluster>', 'cluster that the node will belong to: its id or name (default: home)')
    .option('--name <name>', 'name of the node (default: what the computer calls itself)')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('approve a device code; the node gets no prompts until it is confirmed')
    .action(lazyAction(cli, async () => (await import('./approve-node.js')).approveNode));
  on(nodes, 'confirm')
    .argument('<words...>', 'the fingerprint that the computer shows, as words')
    .description('confirm the fingerprint of an approved node, which lets it connect')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).confirmNode));
}

function registerChanges(nodes: Command, cli: Cli): void {
  on(nodes, 'rename')
    .argument('<name>', 'its new name')
    .description('rename a node')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).renameNode));
  on(nodes, 'move')
    .argument('<cluster>', 'id or name of the cluster')
    .description('move a node to another cluster')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).moveNode));
  on(nodes, 'note')
    .argument('[text]', 'free text about it; "" removes the note')
    .description('write a note about a node, or show it')
    .action(lazyAction(cli, async () => (await import('./describe-nodes.js')).noteNode));
  on(nodes, 'tag')
    .argument('<tags...>', 'words to add, such as office or gpu')
    .description('add tags to a node')
    .action(lazyAction(cli, async () => (await import('./describe-nodes.js')).tagNode));
  on(nodes, 'untag')
    .argument('<tags...>', 'words to take away')
    .description('remove tags of a node')
    .action(lazyAction(cli, async () => (await import('./describe-nodes.js')).untagNode));
  on(nodes, 'pause')
    .description('send a node no new requests; it stays connected')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).pauseNode));
  on(nodes, 'resume')
    .description('send a paused node requests again')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).resumeNode));
}

function registerEndings(nodes: Command, cli: Cli): void {
  on(nodes, 'revoke')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('remove a node from the account; it is disconnected at once')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).revokeNode));
  on(nodes, 'delete')
    .alias('rm')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke a node and delete what is stored about it')
    .action(lazyAction(cli, async () => (await import('./manage-nodes.js')).deleteNode));
}

const on = (nodes: Command, name: string): Command => nodes.command(name).argument('<node>', 'id or name of the node');
