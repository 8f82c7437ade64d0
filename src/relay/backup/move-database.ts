/** `ferry db move`: from the embedded database of a stopped relay to Postgres. */
import { Logger } from '@nestjs/common';
import { shellWord } from '../../kernel/shell-words.js';
import { systemClock } from '../../kernel/clock.js';
import { SettingsError } from '../../kernel/settings/settings-error.js';
import { packageVersion } from '../platform/config/relay-config.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import { loadRelaySettings, relayDirectory, type Environment } from '../platform/config/resolve-relay-config.js';
import { requireDatabase } from './relay-data.js';
import { BackupError, type RowCounts } from './backup-format.js';
import { withDatabase, withoutRelays } from './database-session.store.js';
import { readBackup } from './read-backup.js';
import { watchRecords, type Watched } from './row-progress.js';
import { RestoreStore } from './restore.store.js';
import { DatabaseSnapshot } from './snapshot.store.js';
import { writeBackup } from './write-backup.js';

export interface MoveDatabaseOptions extends Watched {
  /** With `DATABASE_URL`, where the data goes. */
  readonly env: Environment;
  /** Delete what that database holds. */
  readonly replace: boolean;
}

export interface MoveDatabaseResult {
  /** Data directory of the relay; the embedded database in it stays as it is. */
  readonly directory: string;
  readonly counts: RowCounts;
}

/**
 * A backup that is restored while it is taken: checked in the same way, in one transaction of the new database.
 * @throws SettingsError · BackupError · InstanceLockedError · DatabaseInUseError · Error with one line
 */
export async function moveDatabase({ env, replace, ...watched }: MoveDatabaseOptions): Promise<MoveDatabaseResult> {
  Logger.overrideLogger(false);
  const directory = relayDirectory(env);
  const { values: target } = settingsOf(env, directory);
  if (target.databaseUrl === undefined) {
    throw new BackupError(
      'set DATABASE_URL to the database that takes the data',
      'DATABASE_URL=postgres://USER:PASSWORD@HOST/NAME ferry db move',
    );
  }
  const source = { ...target, databaseUrl: undefined, migrationsUrl: undefined };
  await requireDatabase(source, directory);
  if ((await ensureRelaySecret(directory)) !== target.secret) {
    throw wrongSecret('FERRY_SECRET is not the secret of this relay, without which its data cannot be read', directory);
  }
  const facts = { ferryVersion: packageVersion(), createdAt: new Date(systemClock.wallMs()), secret: undefined };
  return withoutRelays(target, () =>
    withDatabase(source, directory, (from) =>
      withDatabase(target, directory, async (to) => {
        const snapshot = await DatabaseSnapshot.open(from.runner, watched.signal);
        const total = watched.onRows === undefined ? 0 : await snapshot.countRows();
        const records = watchRecords(readBackup(writeBackup(snapshot, facts)), total, watched);
        const counts = await new RestoreStore(to.dataSource, to.runner).restore(records, { replace });
        await snapshot.close();
        return { directory, counts };
      }),
    ),
  );
}

/** Any new secret, as for a relay that begins, would be wrong here. @throws SettingsError, BackupError */
function settingsOf(env: Environment, directory: string): ReturnType<typeof loadRelaySettings> {
  try {
    return loadRelaySettings(env);
  } catch (error) {
    if (!(error instanceof SettingsError) || !/^.*FERRY_SECRET: is required with/m.test(error.message)) throw error;
    throw wrongSecret('FERRY_SECRET is not set: the data needs the secret of this relay', directory);
  }
}

const wrongSecret = (message: string, directory: string): BackupError =>
  new BackupError(message, `FERRY_SECRET="$(cat ${shellWord(`${directory}/secret`)})" ferry db move`);
