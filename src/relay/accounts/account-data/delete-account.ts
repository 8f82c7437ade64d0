/** `ferry accounts delete`: on the computer of the relay, while it is stopped. */
import { BackupError, type RowCounts } from '../../backup/backup-format.js';
import { withDatabase, withoutRelays, type DatabaseSession } from '../../backup/database-session.store.js';
import { openRelayData } from '../../backup/relay-data.js';
import type { Environment } from '../../platform/config/resolve-relay-config.js';
import { SchemaVersions } from '../../platform/database/schema-versions.js';
import { chooseAccount, oldestAccount, type NamedAccount } from './account-choice.js';
import { AccountDeletionStore } from './account-deletion.store.js';

export interface AccountToDelete extends NamedAccount {
  /** Rows by table. */
  readonly counts: RowCounts;
  /** The account that becomes the relay's first one; null when it is the last one; undefined when it is not the first one. */
  readonly successor: NamedAccount | null | undefined;
}

export interface DeleteAccountOptions {
  readonly env: Environment;
  /** Id or name. */
  readonly account: string;
  /** Throws to keep the account. No relay can start while it waits. */
  readonly confirm: (account: AccountToDelete) => Promise<void>;
}

export interface DeleteAccountResult {
  readonly account: NamedAccount;
  readonly counts: RowCounts;
  /** Id of the oldest account that is left. */
  readonly firstAccountId: string | null;
}

/**
 * Refused while a relay uses the database: a running one would go on with the keys that it remembers, and write usage of the account
 * after its rows are gone.
 * @throws SettingsError · AccountChoiceError · InstanceLockedError · DatabaseInUseError · BackupError · Error with one line
 */
export async function deleteAccount({ env, account, confirm }: DeleteAccountOptions): Promise<DeleteAccountResult> {
  const { settings, directory } = await openRelayData(env);
  return withoutRelays(settings, () =>
    withDatabase(settings, directory, (session) => deleteFrom(session, account, confirm)),
  );
}

/** @throws AccountChoiceError · BackupError · what `confirm` throws */
export async function deleteFrom(
  { dataSource, runner }: DatabaseSession,
  idOrName: string,
  confirm: DeleteAccountOptions['confirm'],
): Promise<DeleteAccountResult> {
  const { id, name } = await chooseAccount(runner, idOrName);
  const versions = new SchemaVersions(dataSource, runner);
  // Tables that this program does not know would keep their rows.
  const refusal = await versions.refusal();
  if (refusal !== undefined) throw new BackupError(`the database ${refusal}`);
  const store = new AccountDeletionStore(runner);
  const isFirst = (await oldestAccount(runner))?.id === id;
  const successor = isFirst ? ((await oldestAccount(runner, id)) ?? null) : undefined;
  await confirm({ id, name, counts: await store.count(id), successor });
  const counts = await store.delete(id);
  return { account: { id, name }, counts, firstAccountId: (await oldestAccount(runner))?.id ?? null };
}
