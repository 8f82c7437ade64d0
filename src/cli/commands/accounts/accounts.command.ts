import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry accounts`: all accounts of the relay, on its own computer. */
export function registerAccounts(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./list-accounts.js')).listRelayAccounts);
  const accounts = program
    .command('accounts')
    .description('list the accounts of the relay, export one, delete one; only on the relay’s computer')
    .action(list);
  accounts.command('list').alias('ls').description('list the accounts of the relay, the oldest first').action(list);
  accounts
    .command('export')
    .argument('<account>', 'id or name')
    .argument('<file>', 'file to create')
    .description('write all that is stored about an account into a file, without credentials')
    .action(lazyAction(cli, async () => (await import('./export-account.js')).exportRelayAccount));
  accounts
    .command('delete')
    .argument('<account>', 'id or name; with --yes the id')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete an account with all that is stored about it, while the relay is stopped')
    .action(lazyAction(cli, async () => (await import('./delete-account.js')).deleteRelayAccount));
}
