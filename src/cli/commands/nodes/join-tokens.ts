import { connect } from '../../core/api/connect.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { confirmRevocation } from '../../core/output/confirm.js';
import { printData, silently } from '../../core/output/print-data.js';
import { printList } from '../../core/output/print-list.js';
import type { Column } from '../../core/output/table.js';
import { timeColumn } from '../../core/output/time.js';
import type { Invocation } from '../../invocation.js';
import { printable } from '../../../kernel/printable.js';

type Token = Schemas['OpenJoinToken'];

const columns = (timeOf: ReturnType<typeof timeColumn>): readonly Column<Token>[] => [
  // A token has no name; `ferry nodes revoke-join-token` takes this.
  { heading: 'JOIN TOKEN', value: ({ join_token_id }) => join_token_id, whole: true },
  { heading: 'EXPIRES', value: ({ expires }) => timeOf(expires), whole: true },
  { heading: 'CLUSTER', value: ({ cluster_id }) => cluster_id, wide: true },
  { heading: 'MADE BY', value: ({ created_by }) => created_by ?? '', wide: true },
];

export async function listJoinTokens(invocation: Invocation): Promise<void> {
  const api = await connect(invocation);
  await printList(invocation, {
    rows: await api.list('/api/join-tokens'),
    columns: columns(timeColumn(invocation.terminal)),
    whenEmpty: 'no unused join tokens; make one with: ferry nodes join-token',
  });
}

export async function revokeJoinToken(
  invocation: Invocation,
  id: string,
  { yes }: { readonly yes?: true },
): Promise<void> {
  const { terminal } = invocation;
  const api = await connect(invocation);
  if (!(await confirmRevocation(terminal, `Revoke join token ${printable(id)}? No computer can use it any more.`, yes)))
    return;
  const revoked = await api.delete('/api/join-tokens/{joinTokenId}', {
    path: { joinTokenId: id },
    whenMissing: 'ferry nodes join-tokens',
  });
  terminal.note(`Revoked join token ${printable(id)}.`);
  await printData(invocation, revoked, silently);
}
