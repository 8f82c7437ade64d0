/** `ferry accounts export`: on the computer of the relay. With Postgres the relay may run. */
import { stat } from 'node:fs/promises';
import { systemClock } from '../../kernel/clock.js';
import { createCheckedFile, writeBackupFile } from '../backup/backup-file.js';
import { ACCOUNT_EXPORT, type RowCounts } from '../backup/backup-format.js';
import { withDatabase } from '../backup/database-session.store.js';
import { openRelayData } from '../backup/relay-data.js';
import { checkRecords, readBackupFile } from '../backup/read-backup.js';
import { DatabaseSnapshot } from '../backup/snapshot.store.js';
import { writeTables } from '../backup/write-backup.js';
import { packageVersion } from '../platform/config/relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import type { Environment } from '../platform/config/resolve-relay-config.js';
import { chooseAccount, type NamedAccount } from './account-choice.js';
import { AccountSource } from './account-source.js';
import { ACCOUNT_EXPORT_VERSION, readExport, type ExportHeader } from './export-format.js';

export interface ExportAccountOptions {
  readonly env: Environment;
  /** Id or name. */
  readonly account: string;
  readonly file: string;
}

export interface ExportAccountResult {
  readonly account: NamedAccount;
  readonly bytes: number;
  readonly createdAt: string;
  readonly counts: RowCounts;
}

/** @throws SettingsError · AccountChoiceError · InstanceLockedError · BackupError · Error with one line */
export async function exportAccount({ env, account, file }: ExportAccountOptions): Promise<ExportAccountResult> {
  const { settings, directory } = await openRelayData(env);
  const { header, counts } = await createCheckedFile(
    file,
    (unfinished) => writeFileOf(settings, directory, account, unfinished),
    (unfinished) => checkRecords(readExport(readBackupFile(unfinished))),
  );
  const { size: bytes } = await stat(file);
  return { account: header.account, bytes, createdAt: header.created_at, counts };
}

async function writeFileOf(settings: RelaySettings, directory: string, idOrName: string, file: string): Promise<void> {
  await withDatabase(settings, directory, async ({ runner }) => {
    const snapshot = await DatabaseSnapshot.open(runner);
    const account = await chooseAccount(runner, idOrName);
    const header: ExportHeader = {
      format: ACCOUNT_EXPORT,
      version: ACCOUNT_EXPORT_VERSION,
      ferry_version: packageVersion(),
      created_at: new Date(systemClock.wallMs()).toISOString(),
      account,
    };
    await writeBackupFile(file, writeTables(new AccountSource(snapshot, account.id), header));
    await snapshot.close();
  });
}
