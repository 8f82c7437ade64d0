import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry login`, `logout`, `whoami`: the credentials of the command line. */
export function registerLogin(program: Command, cli: Cli): void {
  const login = program
    .command('login')
    .argument('[url]', 'address of the relay (default: --base-url, else the one signed in to)')
    .option('--email <address>', 'sign in with an e-mail address and a password instead of a code')
    .option('--password-stdin', 'with --email: read the password from stdin instead of asking')
    .option('--with-token', 'read a CLI token from stdin instead of showing a code')
    .description('sign in: shows a code to approve where you are signed in already')
    .action(lazyAction(cli, async () => (await import('./log-in.js')).logIn));
  login
    .command('approve')
    .argument('<code>', 'the code that the other computer shows: XXXX-XXXX')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('approve a sign-in of another command line, as you')
    .action(lazyAction(cli, async () => (await import('./approve-login.js')).approveLogin));
  program
    .command('logout')
    .description('sign out: delete the sign-in of this profile and end its token on the relay')
    .action(lazyAction(cli, async () => (await import('./log-out.js')).logOut));
  program
    .command('passwd')
    .option('--password-stdin', 'read the current and the new password from stdin, one line each')
    .description('change your password; ends all other sign-ins of yours')
    .action(lazyAction(cli, async () => (await import('./change-password.js')).changePassword));
  program
    .command('whoami')
    .description('show the account, user and credential that commands use')
    .action(lazyAction(cli, async () => (await import('../status/show-status.js')).showWhoAmI));
}

/** `ferry status`: whether commands would work, and why not. */
export function registerStatus(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('show the relay and account that commands use, and where each value comes from')
    .action(lazyAction(cli, async () => (await import('../status/show-status.js')).showStatus));
}

/** `ferry profiles`: sign-ins to several relays or as several users, side by side. */
export function registerProfiles(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('../profiles/manage-profiles.js')).listProfiles);
  const profiles = program.command('profiles').description('manage several sign-ins on this computer').action(list);
  profiles.command('list').alias('ls').description('list the profiles').action(list);
  profiles
    .command('use')
    .argument('<name>', 'profile that commands use from now on')
    .description('set the profile for all commands; --profile and FERRY_PROFILE set it for one')
    .action(lazyAction(cli, async () => (await import('../profiles/manage-profiles.js')).useProfile));
  profiles
    .command('remove')
    .alias('rm')
    .argument('<name>', 'profile to delete')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete a profile; its token stays valid, which ferry logout --profile NAME ends, too')
    .action(lazyAction(cli, async () => (await import('../profiles/manage-profiles.js')).forgetProfile));
}
