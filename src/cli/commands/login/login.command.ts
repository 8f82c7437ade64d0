import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry login`, `logout`, `whoami`: the credentials of the command line. */
export function registerLogin(program: Command, cli: Cli): void {
  const login = program
    .command('login')
    .argument('[url]', 'address of the relay (default: --base-url, else the one signed in to)')
    .option('--with-token', 'read a CLI token from stdin instead of showing a code')
    .description('sign in: shows a code to approve where you are signed in already')
    .action(async (url: string | undefined, options: { withToken?: true }, command: Command) => {
      const { logIn } = await import('./log-in.js');
      await logIn(invocationOf(cli, command), url, options);
    });
  login
    .command('approve')
    .argument('<code>', 'the code that the other computer shows: XXXX-XXXX')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('approve a sign-in of another command line, as you')
    .action(async (code: string, options: { yes?: true }, command: Command) => {
      const { approveLogin } = await import('./approve-login.js');
      await approveLogin(invocationOf(cli, command), code, options);
    });
  program
    .command('logout')
    .description('sign out: delete the sign-in of this profile and end its token on the relay')
    .action(async (_options: unknown, command: Command) => {
      const { logOut } = await import('./log-out.js');
      await logOut(invocationOf(cli, command));
    });
  program
    .command('whoami')
    .description('show the account, user and credential that commands use')
    .action(async (_options: unknown, command: Command) => {
      const { showWhoAmI } = await import('./who-am-i.js');
      await showWhoAmI(invocationOf(cli, command));
    });
}
