import { Argument, type Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';
import { connectablePrograms } from './program-names.js';

/** `ferry connect`: configures another program to use this relay. */
export function registerConnect(program: Command, cli: Cli): void {
  program
    .command('connect')
    .addArgument(new Argument('<program>', 'program to set up').choices(connectablePrograms))
    .option('-m, --model <model>', 'model to use (default: the first loaded one)')
    .option('--default', 'make it the program’s default, too')
    .option('--print', 'only show the change; no key is made and nothing is written')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('set a coding agent or chat program up: its own key, its configuration file, one test request')
    .action(lazyAction(cli, async () => (await import('./connect.js')).connectProgram));
}
