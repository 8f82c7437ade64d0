import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry backup` and `ferry restore`: the data of the relay, on its own computer. */
export function registerBackup(program: Command, cli: Cli): void {
  program
    .command('backup')
    .argument('<file>', 'file to create')
    .option('--with-secret', 'include the secret of the relay: keep such a file like a password')
    .description('write all data of the relay into a file, while it runs or not; only on the relay’s computer')
    .action(lazyAction(cli, async () => (await import('./back-up.js')).backUpRelay));
  program
    .command('restore')
    .argument('<file>', 'file that ferry backup has written')
    .option('--replace', 'delete everything that the database holds now')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('load a backup into the stopped relay’s database; only on the relay’s computer')
    .action(lazyAction(cli, async () => (await import('./restore.js')).restoreRelay));
}
