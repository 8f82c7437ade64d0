import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

const moreHelp = `
With an address, from any computer and without a sign-in: DNS, port,
certificate, the relay's answer, a WebSocket as nodes open it, streamed events,
and the clock. Without one: the node on this computer, or, where there is none,
the relay that commands use. With the message that a client shows, such as
"Error code: 503": what Ferry had answered. Changes nothing. Exit code 1 when a
check fails, or the message is unknown.
`;

/** `ferry doctor`: whether a relay can be reached and used from here. */
export function registerDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .argument('[what...]', 'address of a relay, or the message that a client shows')
    .description(
      'check the connection to a relay or the node on this computer, or explain a client’s message, and say what to do',
    )
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('./run-doctor.js')).runDoctor));
}
