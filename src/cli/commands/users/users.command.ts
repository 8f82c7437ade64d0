import { Argument, Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

const roles = ['owner', 'admin', 'member'];

/** `ferry users`: the people of the account. */
export function registerUsers(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listUsers } = await import('./manage-users.js');
    await listUsers(invocationOf(cli, command));
  };
  const users = program.command('users').description('the people of the account').action(list);
  users.command('list').alias('ls').description('the same list').action(list);
  registerInvites(users, cli);
  users
    .command('role')
    .argument('<user>', 'id or e-mail address')
    .addArgument(new Argument('<role>', 'the new role').choices(roles))
    .description('change what somebody may do')
    .action(async (user: string, role: string, _options: unknown, command: Command) => {
      const { changeRole } = await import('./manage-users.js');
      await changeRole(invocationOf(cli, command), user, role);
    });
  users
    .command('remove')
    .alias('rm')
    .argument('<user>', 'id or e-mail address')
    .option('-y, --yes', 'do not ask')
    .description('remove somebody from the account')
    .action(async (user: string, options: { yes?: true }, command: Command) => {
      const { removeUser } = await import('./manage-users.js');
      await removeUser(invocationOf(cli, command), user, options);
    });
  users
    .command('reset-password')
    .argument('<user>', 'e-mail address')
    .option('--password-stdin', 'read the new password from stdin instead of making one')
    .description('make a password for somebody who is locked out, the owner too; only on the computer of the relay')
    .action(async (user: string, options: { passwordStdin?: true }, command: Command) => {
      const { resetUserPassword } = await import('./reset-password.js');
      await resetUserPassword(invocationOf(cli, command), user, options);
    });
}

function registerInvites(users: Command, cli: Cli): void {
  users
    .command('invite')
    .addOption(new Option('--role <role>', 'of whoever accepts it').choices(roles).default('member'))
    .description('make an invite that lets one person in; the command that accepts it is printed alone on stdout')
    .action(async ({ role }: { role: string }, command: Command) => {
      const { inviteUser } = await import('./manage-users.js');
      await inviteUser(invocationOf(cli, command), role);
    });
  users
    .command('invites')
    .description('invites that nobody has accepted yet')
    .action(async (_options: unknown, command: Command) => {
      const { listInvites } = await import('./manage-users.js');
      await listInvites(invocationOf(cli, command));
    });
  users
    .command('revoke-invite')
    .argument('<invite>', 'id of the invite')
    .description('take an invite back')
    .action(async (invite: string, _options: unknown, command: Command) => {
      const { revokeInvite } = await import('./manage-users.js');
      await revokeInvite(invocationOf(cli, command), invite);
    });
}
