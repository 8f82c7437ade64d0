import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

const moreHelp = `
With an address, from any computer and without a sign-in: DNS, port, certificate, the relay's answer, a WebSocket as nodes open it, streamed
events, and the clock. Without one: the node on this computer, or, where there is none, the relay that commands use. Changes nothing.
Exit code 1 when a check fails.
`;

/** `ferry doctor`: whether a relay can be reached and used from here. */
export function registerDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .argument('[url]', 'address of a relay')
    .description('check the way to a relay, or the node on this computer; each problem with what to do')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./run-doctor.js')).runDoctor));
}
