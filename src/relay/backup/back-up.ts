/** `ferry backup`: on the computer of the relay. With Postgres the relay may run; the embedded database belongs to one process. */
import { access, stat } from 'node:fs/promises';
import { Logger } from '@nestjs/common';
import { systemClock } from '../../kernel/clock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { loadRelaySettings, relayDirectory, type Environment } from '../platform/config/resolve-relay-config.js';
import { databaseLocation } from '../platform/database/database-location.js';
import { createCheckedFile, writeBackupFile } from './backup-file.js';
import { BackupError, type RowCounts } from './backup-format.js';
import { withDatabase } from './database-session.store.js';
import { checkBackup } from './read-backup.js';
import { DatabaseSnapshot } from './snapshot.store.js';
import { writeBackup } from './write-backup.js';

export interface BackUpOptions {
  readonly env: Environment;
  readonly file: string;
  readonly withSecret: boolean;
}

export interface BackUpResult {
  readonly bytes: number;
  readonly createdAt: string;
  readonly schema: string;
  readonly counts: RowCounts;
}

/** @throws SettingsError · InstanceLockedError · BackupError · Error with one line when the database cannot be read */
export async function backUp({ env, file, withSecret }: BackUpOptions): Promise<BackUpResult> {
  Logger.overrideLogger(false);
  const { values: settings } = loadRelaySettings(env);
  const directory = relayDirectory(env);
  await requireDatabase(settings, directory);
  const { header, counts } = await createCheckedFile(
    file,
    (unfinished) => writeFileOf(settings, directory, unfinished, withSecret),
    checkBackup,
  );
  const { size: bytes } = await stat(file);
  return { bytes, createdAt: header.created_at, schema: header.migrations.at(-1) ?? '', counts };
}

async function writeFileOf(
  settings: RelaySettings,
  directory: string,
  file: string,
  withSecret: boolean,
): Promise<void> {
  await withDatabase(settings, directory, async ({ runner }) => {
    const secret = withSecret ? (settings.secret ?? (await ensureRelaySecret(directory))) : undefined;
    const snapshot = await DatabaseSnapshot.open(runner);
    const createdAt = new Date(systemClock.wallMs());
    await writeBackupFile(file, writeBackup(snapshot, { ferryVersion: packageVersion(), createdAt, secret }));
    await snapshot.close();
  });
}

/** An embedded database would be made where there is none: the wrong directory must not look like an empty relay. */
export async function requireDatabase(settings: RelaySettings, directory: string): Promise<void> {
  const location = databaseLocation(settings, directory);
  if ('url' in location || location.embedded.dataDir === undefined) return;
  await access(location.embedded.dataDir).catch((cause: unknown) => {
    throw new BackupError(`there is no relay in ${directory}; set FERRY_DATA_DIR, or DATABASE_URL and FERRY_SECRET`, {
      cause,
    });
  });
}
