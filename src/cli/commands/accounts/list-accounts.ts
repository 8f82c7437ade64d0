import type { ListedAccount } from '../../../relay/accounts/account-data/list-accounts.js';
import { printList } from '../../core/output/print-list.js';
import { formatCount } from '../../core/output/quantities.js';
import type { Column } from '../../core/output/table.js';
import { timeColumn } from '../../core/output/time.js';
import { untilInterrupted } from '../../core/supervision/stop-signals.js';
import type { Invocation } from '../../invocation.js';
import { explainAccountFailure } from './account-failures.js';

interface AccountRow {
  readonly object: 'stored_account';
  readonly account_id: string;
  readonly name: string;
  readonly created: number;
  readonly owners: readonly string[];
  readonly users: number;
  readonly nodes: number;
  readonly keys: number;
  readonly last_request: number | null;
}

const columns = (timeOf: ReturnType<typeof timeColumn>): readonly Column<AccountRow>[] => [
  { heading: 'NAME', value: ({ name }) => name },
  // Two accounts may have one name, and `delete --yes` takes this only.
  { heading: 'ID', value: ({ account_id }) => account_id, whole: true },
  { heading: 'OWNER', value: ({ owners }) => owners[0] ?? '', expendable: 2 },
  { heading: 'USERS', value: ({ users }) => formatCount(users), align: 'right', expendable: 3 },
  { heading: 'NODES', value: ({ nodes }) => formatCount(nodes), align: 'right', expendable: 4 },
  { heading: 'KEYS', value: ({ keys }) => formatCount(keys), align: 'right', expendable: 5 },
  { heading: 'LAST REQUEST', value: ({ last_request }) => timeOf(last_request), whole: true, expendable: 1 },
  { heading: 'CREATED', value: ({ created }) => timeOf(created), whole: true, wide: true },
];

export async function listRelayAccounts(invocation: Invocation): Promise<void> {
  const { listAccounts } = await import('../../../relay/accounts/account-data/list-accounts.js');
  const accounts = await untilInterrupted((signal) =>
    listAccounts(invocation.env, signal).catch(explainAccountFailure),
  );
  await printList(invocation, {
    rows: accounts.map(rowOf),
    columns: columns(timeColumn(invocation.terminal)),
    whenEmpty: 'no accounts yet: the relay creates one with its first user',
  });
}

const unixSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);

const rowOf = (account: ListedAccount): AccountRow => ({
  object: 'stored_account',
  account_id: account.id,
  name: account.name,
  created: unixSeconds(account.createdAt),
  owners: account.owners,
  users: account.users,
  nodes: account.nodes,
  keys: account.keys,
  last_request: account.lastRequestAt === null ? null : unixSeconds(account.lastRequestAt),
});
