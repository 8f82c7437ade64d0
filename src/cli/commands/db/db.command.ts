import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry db`: the database of the relay, on its own computer. */
export function registerDb(program: Command, cli: Cli): void {
  const db = program.command('db').description('the relay’s database; only on the relay’s computer');
  db.command('move')
    .option('--replace', 'delete everything that the Postgres database holds now')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('copy the embedded database of the stopped relay to the Postgres of DATABASE_URL')
    .action(lazyAction(cli, async () => (await import('./move.js')).moveRelayDatabase));
}
