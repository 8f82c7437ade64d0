/**
 * The embedded database of a running relay: PGlite is one session, so a transaction of the length of a backup would hold up every request.
 * The relay only makes a checkpoint; its files are copied beside it, and the copy is read by the process of the command.
 */
import { rm } from 'node:fs/promises';
import { askControl } from '../../kernel/control-socket.js';
import { acquireInstanceLock, InstanceLockedError } from '../../kernel/instance-lock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { databaseLocation } from '../platform/database/database-location.js';
import { BackupError } from './backup-format.js';
import { copyDatabase } from './copy-database.js';
import { withConnection, type DatabaseSession } from './database-session.store.js';
import { CHECKPOINT_REQUEST, checkpointAnswer, RELAY_CONTROL } from './relay-control.js';

/** A checkpoint takes milliseconds, but may have to wait for other statements. */
const CHECKPOINT_TIMEOUT_MS = 30_000;

export interface RunningSession extends DatabaseSession {
  /** How long statements of the relay have waited. */
  readonly heldUpMs: number;
}

/**
 * Opens a copy of the database, which is deleted afterwards. The caller holds the lock of `withoutOtherBackups`.
 * @returns undefined when no relay that can be asked is running
 * @throws BackupError · Error with one line · the signal's reason
 */
export async function withRunningDatabase<Result>(
  settings: RelaySettings,
  directory: string,
  use: (session: RunningSession) => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result | undefined> {
  const location = databaseLocation(settings, directory);
  if ('url' in location || location.embedded.dataDir === undefined) return undefined;
  const { dataDir } = location.embedded;
  const copy = `${dataDir}.copy`;
  // Of a backup that was killed: nobody else uses it, as long as the lock is held.
  await rm(copy, { recursive: true, force: true });
  const options = { timeoutMs: CHECKPOINT_TIMEOUT_MS, signal };
  const answer = await askControl(directory, RELAY_CONTROL, CHECKPOINT_REQUEST, options);
  if (answer === undefined) return undefined;
  const { held_up_ms: heldUpMs } = checkpointAnswer.parse(answer);
  try {
    await copyDatabase(dataDir, copy, signal);
    signal?.throwIfAborted();
    return await withConnection(settings, { embedded: { dataDir: copy } }, (session) => use({ ...session, heldUpMs }));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** One backup of an embedded database at a time. @throws BackupError when another one runs */
export async function withoutOtherBackups<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const about = { pid: process.pid, version: packageVersion() };
  const lock = await acquireInstanceLock(directory, 'backup', () => about).catch((error: unknown) => {
    if (!(error instanceof InstanceLockedError)) throw error;
    const { pidText } = error;
    throw new BackupError(`another backup of this relay is being taken${pidText}: wait until it is done`, {
      cause: error,
    });
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
