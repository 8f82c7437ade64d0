import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { confirm } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import type { Invocation } from '../../invocation.js';
import { printable } from '../../../kernel/printable.js';
import { findUser } from './manage-users.js';

interface RemoveOptions {
  readonly yes?: true;
  readonly revokeKeys?: true;
  readonly erase?: true;
}

/** API keys are the account's and stay, so whoever removes a person sees which ones that person has made and may still know. */
export async function removeUser(
  invocation: Invocation,
  user: string,
  { yes, revokeKeys, erase }: RemoveOptions,
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const { user_id: id, email } = await findUser(api, user);
  const keys = (await api.list('/api/keys')).filter(({ created_by }) => created_by === id);
  const names = keys.map(({ name }) => printable(name)).join(', ');
  if (keys.length > 0) {
    terminal.note(
      revokeKeys === true ? `Their API keys are revoked: ${names}.` : `Their API keys stay valid: ${names}.`,
    );
  }
  const question = `Remove ${printable(email)} from the account? They are signed out everywhere.`;
  if (yes !== true && !(await confirm(terminal, question))) {
    terminal.note('Nobody was removed.');
    return;
  }
  // First: after a failure the person is still there, with the keys that are left.
  if (revokeKeys === true) {
    for (const { key_id: keyId } of keys)
      await api.delete('/api/keys/{idOrName}', { path: { idOrName: keyId }, whenMissing: 'ferry keys' });
  }
  const removed = await api.delete('/api/users/{userId}', { path: { userId: id }, whenMissing: 'ferry users' });
  terminal.note(`Removed ${printable(email)}.`);
  if (keys.length > 0 && revokeKeys !== true) {
    terminal.note('  next: ferry keys revoke NAME, for each key that they should not use any more');
  }
  if (erase === true) await eraseAt(api, invocation, id);
  else terminal.note(`  to replace their address in the audit trail and in usage: ferry users erase ${id}`);
  await printData(invocation, removed, silently);
}

/** After the person was removed, whose address nobody may know any more: by id only. */
export async function eraseUser(invocation: Invocation, id: string, { yes }: { readonly yes?: true }): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const question = `Replace the name and address of ${printable(id)} by a pseudonym for ever?`;
  if (yes !== true && !(await confirm(terminal, question))) {
    terminal.note('Nothing was changed.');
    return;
  }
  await printData(invocation, await eraseAt(api, invocation, id), silently);
}

async function eraseAt(
  api: Awaited<ReturnType<typeof connect>>,
  { terminal }: Invocation,
  id: string,
): Promise<Schemas['ErasedUser']> {
  const erased = await api.post('/api/users/{userId}/erase', {
    path: { userId: id },
    whenMissing: 'ferry audit --action user.delete',
  });
  terminal.note(`They are called ${printable(erased.pseudonym)} in the audit trail and in usage now.`);
  return erased;
}
