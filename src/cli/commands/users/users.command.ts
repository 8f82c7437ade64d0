import { Argument, Option, type Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

const roles = ['owner', 'admin', 'member'];

/** `ferry users`: the people of the account. */
export function registerUsers(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./manage-users.js')).listUsers);
  const users = program.command('users').description('list the users of the account, and manage them').action(list);
  users.command('list').alias('ls').description('list the users').action(list);
  registerInvites(users, cli);
  users
    .command('role')
    .argument('<user>', 'id or e-mail address')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change the role of a user')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).changeRole));
  users
    .command('remove')
    .alias('rm')
    .argument('<user>', 'id or e-mail address')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('remove a user from the account')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).removeUser));
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
    .command('invites')
    .description('list open invites')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).listInvites));
  users
    .command('revoke-invite')
    .argument('<invite>', 'id of the invite')
    .description('revoke an invite')
    .action(lazyAction(cli, async () => (await import('./manage-users.js')).revokeInvite));
}
