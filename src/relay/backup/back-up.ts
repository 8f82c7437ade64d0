/** `ferry backup`: on the computer of the relay. With Postgres the relay may run; the embedded database belongs to one process. */
import { stat } from 'node:fs/promises';
import { systemClock } from '../../kernel/clock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import type { Environment } from '../platform/config/resolve-relay-config.js';
import { createCheckedFile, writeBackupFile } from './backup-file.js';
import type { RowCounts } from './backup-format.js';
import { withDatabase } from './database-session.store.js';
import { checkBackup } from './read-backup.js';
import { openRelayData } from './relay-data.js';
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
  const { settings, directory } = await openRelayData(env);
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
