import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { confirmRevocation } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { timeColumn } from '../../core/output/time.js';
import type { Invocation } from '../../invocation.js';
import { printable } from '../../../kernel/printable.js';

type Token = Schemas['CliToken'];

const columns = (
  timeOf: ReturnType<typeof timeColumn>,
  emails: ReadonlyMap<string, string>,
): readonly Column<Token>[] => [
  { heading: 'TOKEN', value: ({ cli_token_id }) => cli_token_id, whole: true },
  { heading: 'NAME', value: ({ name }) => name, min: 12 },
  { heading: 'USER', value: ({ user_id: id }) => (id === null ? 'the relay' : (emails.get(id) ?? id)), min: 16 },
  { heading: 'ROLE', value: ({ role }) => role, whole: true, expendable: 2 },
  { heading: 'MADE', value: ({ created }) => timeOf(created), whole: true, expendable: 1 },
  { heading: 'EXPIRES', value: ({ expires }) => timeOf(expires), whole: true, expendable: 3 },
];

/** The command lines of all users, for owners. */
export async function listCliTokens(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  const [rows, users] = await Promise.all([api.list('/api/cli-tokens'), api.list('/api/users')]);
  const emails = new Map(users.map(({ user_id, email }) => [user_id, email]));
  await printList(invocation, {
    rows,
    columns: columns(timeColumn(invocation.terminal), emails),
    whenEmpty: 'no command line is signed in',
  });
}

export async function revokeCliToken(
  invocation: Invocation,
  id: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const question = `Revoke token ${printable(id)}? The command line that has it must sign in again.`;
  if (!(await confirmRevocation(terminal, question, yes))) return;
  const revoked = await api.delete('/api/cli-tokens/{cliTokenId}', {
    path: { cliTokenId: id },
    whenMissing: 'ferry users tokens',
  });
  terminal.note(`Revoked the token of ${printable(revoked.name)}.`);
  if (revoked.user_id === null) {
    terminal.note('It was the token of the relay: its invites, join tokens and sign-in links have ended, too.');
    terminal.note('  next: start the relay again, which makes another token');
  }
  await printData(invocation, revoked, silently);
}
