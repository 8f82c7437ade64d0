import { connect } from '../../core/api/connect.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import { didYouMean } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { confirmRevocation } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import { printable } from '../../../kernel/printable.js';
import type { Column } from '../../core/output/table.js';
import { localMinute, timeColumn } from '../../core/output/time.js';
import type { Schemas } from '../../core/api/management-api.types.js';

type TimeOf = ReturnType<typeof timeColumn>;

const columns = (timeOf: TimeOf): readonly Column<Schemas['User']>[] => [
  { heading: 'E-MAIL', value: ({ email }) => email, min: 20 },
  { heading: 'NAME', value: ({ name }) => name },
  { heading: 'ROLE', value: ({ role }) => role, whole: true },
  { heading: 'STATE', value: ({ disabled }) => (disabled ? 'disabled' : 'active'), whole: true },
  { heading: 'LAST SIGN-IN', value: ({ last_sign_in: seen }) => timeOf(seen), whole: true, expendable: 1 },
  { heading: 'ID', value: ({ user_id }) => user_id, whole: true, wide: true },
];

const inviteColumns = (timeOf: TimeOf): readonly Column<Schemas['Invite']>[] => [
  // An invite has no name; `ferry users revoke-invite` takes this.
  { heading: 'INVITE', value: ({ invite_id }) => invite_id, whole: true },
  { heading: 'ROLE', value: ({ role }) => role, whole: true },
  { heading: 'EXPIRES', value: ({ expires }) => timeOf(expires), whole: true },
  { heading: 'MADE BY', value: ({ created_by }) => created_by ?? '', wide: true },
];

export async function listUsers(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list('/api/users'),
    columns: columns(timeColumn(invocation.terminal)),
    mark: ({ disabled }) => (disabled ? 'off' : 'serving'),
    whenEmpty: 'nobody yet; invite somebody with: ferry users invite',
  });
}

export async function listInvites(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list('/api/invites'),
    columns: inviteColumns(timeColumn(invocation.terminal)),
    whenEmpty: 'no open invites; make one with: ferry users invite',
  });
}

/** Prints only the link on stdout. */
export async function inviteUser(
  invocation: Invocation,
  { role }: { readonly role: Schemas['User']['role'] },
): Promise<void> {
  const api = await connect(invocation);
  const created = await api.post('/api/invites', { body: { role } });
  const { terminal } = invocation;
  if (created.warning !== null) terminal.note(printable(created.warning));
  terminal.note(`Works once, until ${localMinute(created.expires)}: whoever accepts it becomes ${withArticle(role)}.`);
  terminal.note("By command line: ferry users accept 'LINK' --email YOU@EXAMPLE.COM");
  await printData(invocation, created, () => {
    terminal.print(printable(created.link ?? created.accept_command));
  });
}

export async function revokeInvite(
  invocation: Invocation,
  id: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  if (!(await confirmRevocation(terminal, `Revoke invite ${printable(id)}? It cannot be accepted any more.`, yes)))
    return;
  const revoked = await api.delete('/api/invites/{inviteId}', {
    path: { inviteId: id },
    whenMissing: 'ferry users invites',
  });
  terminal.note(`Revoked invite ${printable(id)}.`);
  await printData(invocation, revoked, silently);
}

export async function changeRole(invocation: Invocation, user: string, role: Schemas['User']['role']): Promise<void> {
  const api = await connect(invocation);
  const { user_id: id } = await findUser(api, user);
  const changed = await api.patch('/api/users/{userId}', {
    path: { userId: id },
    body: { role },
    whenMissing: 'ferry users',
  });
  invocation.terminal.note(`${printable(changed.email)} is ${withArticle(changed.role)} now.`);
  await printData(invocation, changed, silently);
}

export async function setDisabled(invocation: Invocation, user: string, disabled: boolean): Promise<void> {
  const api = await connect(invocation);
  const { user_id: id } = await findUser(api, user);
  const changed = await api.patch('/api/users/{userId}', {
    path: { userId: id },
    body: { disabled },
    whenMissing: 'ferry users',
  });
  const state = disabled ? 'is disabled and signed out everywhere' : 'can sign in again';
  invocation.terminal.note(`${printable(changed.email)} ${state}.`);
  await printData(invocation, changed, silently);
}

const withArticle = (role: string): string => `${/^[aeiou]/.test(role) ? 'an' : 'a'} ${role}`;

/** Finds a user by id or e-mail address, ignoring case. @throws CliError (not found) */
export async function findUser(api: ManagementApi, idOrEmail: string): Promise<Schemas['User']> {
  const wanted = idOrEmail.toLowerCase();
  const users = await api.list('/api/users');
  const found = users.find(({ user_id, email }) => user_id === idOrEmail || email.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new CliError('user_not_found', exitCodes.notFound, `there is nobody called "${idOrEmail}"`, {
    hint:
      didYouMean(
        idOrEmail,
        users.map(({ email }) => email),
      ) ?? 'ferry users',
  });
}
