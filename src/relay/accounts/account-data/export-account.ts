/** `ferry accounts export`: on the computer of the relay, which may run. */
import { systemClock } from '../../../kernel/clock.js';
import { writeBackupFile } from '../../backup/backup-file.js';
import { ACCOUNT_EXPORT, type RowCounts } from '../../backup/backup-format.js';
import { createDatabaseFile } from '../../backup/database-file.js';
import type { DatabaseSession } from '../../backup/database-session.store.js';
import { openRelayData } from '../../backup/relay-data.js';
import { checkRecords, readBackupFile } from '../../backup/read-backup.js';
import { DatabaseSnapshot } from '../../backup/snapshot.store.js';
import { writeTables } from '../../backup/write-backup.js';
import { packageVersion } from '../../platform/config/relay-config.js';
import type { Environment } from '../../platform/config/resolve-relay-config.js';
import { chooseAccount, type NamedAccount } from './account-choice.js';
import { AccountSource } from './account-source.js';
import { ACCOUNT_EXPORT_VERSION, readExport, type ExportHeader } from './export-format.js';

export interface ExportAccountOptions {
  readonly env: Environment;
  /** Id or name. */
  readonly account: string;
  readonly file: string;
  /** Leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

export interface ExportAccountResult {
  readonly account: NamedAccount;
  readonly bytes: number;
  readonly createdAt: string;
  readonly counts: RowCounts;
  /** How long statements of a running relay have waited. undefined: none has. */
  readonly heldUpMs: number | undefined;
}

/**
 * @throws SettingsError · AccountChoiceError · InstanceLockedError · BackupError · Error with one line · the signal's reason, or an AbortError
 */
export async function exportAccount(options: ExportAccountOptions): Promise<ExportAccountResult> {
  const { env, file, signal } = options;
  const data = await openRelayData(env);
  const { checked, bytes, heldUpMs } = await createDatabaseFile(
    data,
    file,
    (session, unfinished) => writeSession(session, options, unfinished),
    (unfinished) => checkRecords(readExport(readBackupFile(unfinished, signal))),
    signal,
  );
  const { header, counts } = checked;
  return { account: header.account, bytes, createdAt: header.created_at, counts, heldUpMs };
}

async function writeSession(
  { runner }: DatabaseSession,
  { account: idOrName, signal }: ExportAccountOptions,
  file: string,
): Promise<void> {
  const snapshot = await DatabaseSnapshot.open(runner, signal);
  const account = await chooseAccount(runner, idOrName);
  const header: ExportHeader = {
    format: ACCOUNT_EXPORT,
    version: ACCOUNT_EXPORT_VERSION,
    ferry_version: packageVersion(),
    created_at: new Date(systemClock.wallMs()).toISOString(),
    account,
  };
  await writeBackupFile(file, writeTables(new AccountSource(snapshot, account.id), header), signal);
  await snapshot.close();
}
