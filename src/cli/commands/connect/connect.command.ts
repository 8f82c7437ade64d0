import { Argument, type Command } from 'commander';
import { parseLimit } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';
import { connectablePrograms } from './program-names.js';

const moreHelp = `
Without a program: what is connected on this computer, and whether its file
still says what is loaded. A program is told the context window of the loaded
model and the longest answer to ask for; connect it again after a load with
another context. A key that works is kept.
`;

/** `ferry connect`: configures another program to use this relay. */
export function registerConnect(program: Command, cli: Cli): void {
  program
    .command('connect')
    .addArgument(new Argument('[program]', 'program to set up').choices(connectablePrograms))
    .option('-m, --model <model>', 'model to use (default: the first loaded one)')
    .option('--default', 'make it the program’s default, too')
    .option('--rpm <count>', 'limit of the key, in requests per minute, or none (default: 600)', parseLimit)
    .option('--print', 'only show the change; no key is made and nothing is written')
    .option('--undo', 'restore the program’s files as they were before, and revoke its key')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('set a coding agent or chat program up: its own key, its configuration file, one test request')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./connect.js')).connect));
}
