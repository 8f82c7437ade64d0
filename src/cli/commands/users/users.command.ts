import { Argument, Option, type Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

const roles = ['owner', 'admin', 'member'];

/** `ferry users`: the users of the account. */
export function registerUsers(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./manage-users.js')).listUsers);
  const users = program.command('users').description('list the users of the account, and manage them').action(list);
  users.command('list').alias('ls').description('list the users').action(list);
  registerInvites(users, cli);
  registerTokens(users, cli);
  users
    .command('role')
    .argument('<user>', 'id or e-mail address')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change the role of a user')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).changeRole));
  for (const verb of ['disable', 'enable'] as const) {
    users
      .command(verb)
      .argument('<user>', 'id or e-mail address')
      .description(
        verb === 'disable' ? 'end the sign-ins of a user and refuse new ones' : 'let a disabled user sign in again',
      )
      .action(
        lazyAction(cli, async () => {
          const { setDisabled } = await import('./manage-users.js');
          return (invocation, user: string) => setDisabled(invocation, user, verb === 'disable');
        }),
      );
  }
  users
    .command('remove')
    .alias('rm')
    .argument('<user>', 'id or e-mail address')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--revoke-keys', 'also revoke the API keys that the user has created')
    .option('--erase', 'also replace the name and address of the user in the audit trail and in usage')
    .description('remove a user from the account; names the API keys of the user, which stay valid')
    .action(lazyAction(cli, async () => (await import('./remove-user.js')).removeUser));
  users
    .command('erase')
    .argument('<id>', 'id of a removed user')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('replace the name and address of a removed user by a pseudonym in the audit trail and in usage')
    .action(lazyAction(cli, async () => (await import('./remove-user.js')).eraseUser));
  users
    .command('create-owner')
    .argument('<email>', 'e-mail address of the new owner')
    .option('--password-stdin', 'read the password from stdin instead of generating one')
    .description('create an owner of this relay’s first account; only on the relay’s computer')
    .action(lazyAction(cli, async () => (await import('./reset-password.js')).createOwner));
  users
    .command('reset-password')
    .argument('<user>', 'e-mail address')
    .option('--password-stdin', 'read the new password from stdin instead of generating one')
    .description('set a new password for a locked-out user; only on the relay’s computer')
    .action(lazyAction(cli, async () => (await import('./reset-password.js')).resetUserPassword));
}

function registerInvites(users: Command, cli: Cli): void {
  users
    .command('invite')
    .addOption(new Option('--role <role>', 'role of the new user').choices(roles).default('member'))
    .description('create an invite for one user; the command that accepts it is printed alone on stdout')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).inviteUser));
  users
    .command('accept')
    .argument('<token>', 'the token of the invite, or its link')
    .requiredOption('--email <address>', 'your e-mail address, with which you sign in from now on')
    .option('--name <name>', 'your name (default: the e-mail address)')
    .option('--password-stdin', 'read the new password from stdin instead of asking')
    .description('accept an invite and sign this computer in as the new user')
    .action(lazyAction(cli, async () => (await import('./accept-invite.js')).acceptInvite));
  users
    .command('invites')
    .description('list open invites')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).listInvites));
  users
    .command('revoke-invite')
    .argument('<invite>', 'id of the invite')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke an invite')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).revokeInvite));
}

function registerTokens(users: Command, cli: Cli): void {
  users
    .command('tokens')
    .description('list the CLI tokens of all users; needs the role owner')
    .action(lazyAction(cli, async () => (await import('./cli-tokens.js')).listCliTokens));
  users
    .command('revoke-token')
    .argument('<token>', 'id of the CLI token')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke a CLI token of any user; needs the role owner')
    .action(lazyAction(cli, async () => (await import('./cli-tokens.js')).revokeCliToken));
}
