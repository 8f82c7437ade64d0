/** `ferry restore`: on the computer of the relay, while it is stopped. */
import { Logger } from '@nestjs/common';
import { ensureRelaySecret, replaceRelaySecret } from '../platform/config/relay-secret.js';
import { loadRelaySettings, relayDirectory, type Environment } from '../platform/config/resolve-relay-config.js';
import { checkBackup, readBackup, readBackupFile } from './read-backup.js';
import type { RowCounts } from './backup-format.js';
import { withDatabase, withoutRelays } from './database-session.store.js';
import { watchRecords, type Watched } from './row-progress.js';
import { RestoreStore } from './restore.store.js';

export interface RestoreBackupOptions extends Watched {
  readonly env: Environment;
  readonly file: string;
  /** Delete what the database holds. */
  readonly replace: boolean;
}

export interface RestoreResult {
  readonly createdAt: string;
  readonly counts: RowCounts;
  /**
   * `restored`: written into the data directory. `same`: as before. `absent`: the backup has none. `different`: `FERRY_SECRET` is another
   * one, which only a person can change.
   */
  readonly secret: 'restored' | 'same' | 'absent' | 'different';
}

/**
 * The file is read twice: checked before the database is touched, then loaded in one transaction.
 * @throws SettingsError · BackupError · InstanceLockedError · DatabaseInUseError · Error with one line
 */
export async function restoreBackup({ env, file, replace, ...watched }: RestoreBackupOptions): Promise<RestoreResult> {
  Logger.overrideLogger(false);
  const { values: settings } = loadRelaySettings(env);
  const directory = relayDirectory(env);
  const { header, counts: expected } = await checkBackup(file, watched.signal);
  const total = Object.values(expected).reduce((sum, rows) => sum + rows, 0);
  return withoutRelays(settings, () =>
    withDatabase(settings, directory, async ({ dataSource, runner }) => {
      const store = new RestoreStore(dataSource, runner);
      const records = watchRecords(readBackup(readBackupFile(file, watched.signal)), total, watched);
      const counts = await store.restore(records, { replace });
      const secret = await restoreSecret(header.secret, settings.secret, directory);
      return { createdAt: header.created_at, counts, secret };
    }),
  );
}

async function restoreSecret(
  secret: string | undefined,
  configured: string | undefined,
  directory: string,
): Promise<RestoreResult['secret']> {
  if (secret === undefined) return 'absent';
  if (configured !== undefined) return configured === secret ? 'same' : 'different';
  if ((await ensureRelaySecret(directory)) === secret) return 'same';
  await replaceRelaySecret(directory, secret);
  return 'restored';
}
