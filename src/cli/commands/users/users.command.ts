import { Argument, Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

const roles = ['owner', 'admin', 'member'];

/** `ferry users`: the people of the account. */
export function registerUsers(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listUsers } = await import('./manage-users.js');
    await listUsers(invocationOf(cli, command));
  };
  const users = program.command('users').description('list the users of the account, and manage them').action(list);
  users.command('list').alias('ls').description('list the users').action(list);
  registerInvites(users, cli);
  users
    .command('role')
    .argument('<user>', 'id or e-mail address')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change the role of a user')
    .action(async (user: string, role: string, _options: unknown, command: Command) => {
      const { changeRole } = await import('./manage-users.js');
      await changeRole(invocationOf(cli, command), user, role);
    });
  users
    .command('remove')
    .alias('rm')
    .argument('<user>', 'id or e-mail address')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('remove a user from the account')
    .action(async (user: string, options: { yes?: true }, command: Command) => {
      const { removeUser } = await import('./manage-users.js');
      await removeUser(invocationOf(cli, command), user, options);
    });
  users
    .command('reset-password')
    .argument('<user>', 'e-mail address')
    .option('--password-stdin', 'read the new password from stdin instead of generating one')
    .description('set a new password for a locked-out user; only on the relay’s computer')
    .action(async (user: string, options: { passwordStdin?: true }, command: Command) => {
      const { resetUserPassword } = await import('./reset-password.js');
      await resetUserPassword(invocationOf(cli, command), user, options);
    });
}

function registerInvites(users: Command, cli: Cli): void {
  users
    .command('invite')
    .addOption(new Option('--role <role>', 'role of the new user').choices(roles).default('member'))
    .description('create an invite for one user; the command that accepts it is printed alone on stdout')
    .action(async ({ role }: { role: string }, command: Command) => {
      const { inviteUser } = await import('./manage-users.js');
      await inviteUser(invocationOf(cli, command), role);
    });
  users
    .command('invites')
    .description('list open invites')
    .action(async (_options: unknown, command: Command) => {
      const { listInvites } = await import('./manage-users.js');
      await listInvites(invocationOf(cli, command));
    });
  users
    .command('revoke-invite')
    .argument('<invite>', 'id of the invite')
    .description('revoke an invite')
    .action(async (invite: string, _options: unknown, command: Command) => {
      const { revokeInvite } = await import('./manage-users.js');
      await revokeInvite(invocationOf(cli, command), invite);
    });
}
