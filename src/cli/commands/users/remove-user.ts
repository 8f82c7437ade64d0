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
}

/** API keys are the account's and stay, so whoever removes a person sees which ones that person has made and may still know. */
export async function removeUser(
  invocation: Invocation,
  user: string,
  { yes, revokeKeys }: RemoveOptions,
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  const { user_id: id, email } = await findUser(api, user);
  const keys = (await api.list<Schemas['Key']>('/api/keys')).filter(({ created_by }) => created_by === id);
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
    for (const { key_id: keyId } of keys) await api.delete(`/api/keys/${encodeURIComponent(keyId)}`, 'ferry keys');
  }
  const removed = await api.delete<Schemas['User']>(`/api/users/${encodeURIComponent(id)}`, 'ferry users');
  terminal.note(`Removed ${printable(email)}.`);
  if (keys.length > 0 && revokeKeys !== true) {
    terminal.note('  next: ferry keys revoke NAME, for each key that they should not use any more');
  }
  await printData(invocation, removed, silently);
}
