/**
 * `ferry backup`: on the computer of the relay, which may run. Postgres is read beside it; of the embedded database, which belongs to one
 * process, a copy is read.
 */
import { systemClock } from '../../kernel/clock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import type { Environment } from '../platform/config/resolve-relay-config.js';
import { writeBackupFile } from './backup-file.js';
import type { RowCounts } from './backup-format.js';
import { createDatabaseFile } from './database-file.js';
import type { DatabaseSession } from './database-session.store.js';
import { checkBackup } from './read-backup.js';
import { openRelayData, type RelayData } from './relay-data.js';
import type { OnRows } from './row-progress.js';
import { DatabaseSnapshot } from './snapshot.store.js';
import { writeBackup } from './write-backup.js';

export interface BackUpOptions {
  readonly env: Environment;
  readonly file: string;
  readonly withSecret: boolean;
  /** Leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: OnRows | undefined;
}

export interface BackUpResult {
  readonly bytes: number;
  readonly createdAt: string;
  readonly schema: string;
  readonly counts: RowCounts;
  /** How long statements of a running relay have waited. undefined: none has. */
  readonly heldUpMs: number | undefined;
}

/**
 * @throws SettingsError · InstanceLockedError · BackupError · Error with one line when the database cannot be read · the signal's reason,
 * or an AbortError
 */
export async function backUp(options: BackUpOptions): Promise<BackUpResult> {
  const { env, file, signal } = options;
  const data = await openRelayData(env);
  const { checked, bytes, heldUpMs } = await createDatabaseFile(
    data,
    file,
    (session, unfinished) => writeSession(session, data, unfinished, options),
    (unfinished) => checkBackup(unfinished, signal),
    signal,
  );
  const { header, counts } = checked;
  return { bytes, createdAt: header.created_at, schema: header.migrations.at(-1) ?? '', counts, heldUpMs };
}

async function writeSession(
  { runner }: DatabaseSession,
  { settings, directory }: RelayData,
  file: string,
  { withSecret, signal, onRows }: BackUpOptions,
): Promise<void> {
  const secret = withSecret ? (settings.secret ?? (await ensureRelaySecret(directory))) : undefined;
  const snapshot = await DatabaseSnapshot.open(runner, signal);
  const createdAt = new Date(systemClock.wallMs());
  const total = onRows === undefined ? 0 : await snapshot.countRows();
  const facts = { ferryVersion: packageVersion(), createdAt, secret };
  const text = writeBackup(snapshot, facts, (done) => onRows?.(done, total));
  await writeBackupFile(file, text, signal);
  await snapshot.close();
}
