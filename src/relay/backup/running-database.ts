/**
 * The embedded database of a running relay: PGlite is one session, so a transaction of the length of a backup would hold up every request.
 * The relay only makes a checkpoint; its files are copied beside it, and the copy is read by the process of the command.
 */
import { rm } from 'node:fs/promises';
import { sendControlRequest } from '../../kernel/control-socket.js';
import { acquireInstanceLock, InstanceLockedError } from '../../kernel/instance-lock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { databaseLocation } from '../platform/database/database-location.js';
import { BackupError } from './backup-format.js';
import { copyDatabase } from './copy-database.js';
import { withConnection, withDatabase, type DatabaseSession } from './database-session.store.js';
import { CHECKPOINT_REQUEST, checkpointResponse, RELAY_CONTROL } from './relay-control.js';
import type { RelayData } from './relay-data.js';

/** A checkpoint takes milliseconds, but may have to wait for other statements. */
const CHECKPOINT_TIMEOUT_MS = 30_000;

export interface ReadDatabase<Result> {
  readonly result: Result;
  /** How long statements of a running relay have waited. undefined: none has. */
  readonly heldUpMs: number | undefined;
}

/**
 * Reads the database of a relay that may be running: Postgres beside it, the embedded database itself or a copy, which is deleted afterwards.
 * @param use changes nothing: it may have a copy
 * @throws BackupError when another command has a copy · InstanceLockedError when something other than a relay uses the database · Error with
 * one line · the signal's reason
 */
export async function readDatabase<Result>(
  { settings, directory }: RelayData,
  use: (session: DatabaseSession) => Promise<Result>,
  signal?: AbortSignal,
): Promise<ReadDatabase<Result>> {
  const alone = async (): Promise<ReadDatabase<Result>> => ({
    result: await withDatabase(settings, directory, use),
    heldUpMs: undefined,
  });
  if (settings.databaseUrl !== undefined) return alone();
  return oneAtATime(directory, () =>
    alone().catch(async (error: unknown) => {
      if (!(error instanceof InstanceLockedError)) throw error;
      const read = await readCopy(settings, directory, use, signal);
      // Used by something else, such as a restore.
      if (read === undefined) throw error;
      return read;
    }),
  );
}

/** @returns undefined when no relay that can be asked is running */
async function readCopy<Result>(
  settings: RelaySettings,
  directory: string,
  use: (session: DatabaseSession) => Promise<Result>,
  signal?: AbortSignal,
): Promise<ReadDatabase<Result> | undefined> {
  const location = databaseLocation(settings, directory);
  if ('url' in location || location.embedded.dataDir === undefined) return undefined;
  const { dataDir } = location.embedded;
  const copy = `${dataDir}.copy`;
  // A killed command has left it: no other process uses it while the lock is held.
  await rm(copy, { recursive: true, force: true });
  const options = { timeoutMs: CHECKPOINT_TIMEOUT_MS, signal };
  const response = await sendControlRequest(directory, RELAY_CONTROL, CHECKPOINT_REQUEST, options);
  if (response === undefined) return undefined;
  const { held_up_ms: heldUpMs } = checkpointResponse.parse(response);
  try {
    await copyDatabase(dataDir, copy, signal);
    signal?.throwIfAborted();
    return { result: await withConnection(settings, { embedded: { dataDir: copy } }, use), heldUpMs };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

/** There is room for one copy. @throws BackupError when another command has it */
async function oneAtATime<Result>(directory: string, work: () => Promise<Result>): Promise<Result> {
  const about = { pid: process.pid, version: packageVersion() };
  const lock = await acquireInstanceLock(directory, 'backup', () => about).catch((error: unknown) => {
    if (!(error instanceof InstanceLockedError)) throw error;
    throw new BackupError(
      `another command reads the database of this relay${error.pidText}: wait until it is done, and try again`,
      undefined,
      { cause: error },
    );
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
