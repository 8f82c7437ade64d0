/** Persistent state of the relay: data folder, lock, secret, database. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseInUseError } from '../../kernel/database-in-use-error.js';
import { acquireInstanceLock } from '../../kernel/instance-lock.js';
import { createRelayConfig, type PendingRelayConfig, packageVersion } from '../platform/config/relay-config.js';
import { ensureRelaySecret } from '../platform/config/relay-secret.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { databaseLimits, databaseLocation } from '../platform/database/database-location.js';
import { cannotOpen, openDatabase, type OpenDatabase } from '../platform/database/open-database.js';
import type { PrimaryLink } from '../platform/workers/primary-link.js';
import { RelayLock, type RelayLockMode } from '../platform/database/relay-lock.js';

export interface RelayState extends PendingRelayConfig {
  readonly database: OpenDatabase;
  /** Closes the database, then releases the lock. */
  close(): Promise<void>;
}

/** Content of the lock file; `base_url` once it is known. */
interface RelayFacts {
  readonly pid: number;
  readonly version: string;
  base_url?: string;
}

/** How long a start waits for a relay that is just being replaced. */
const LOCK_WAIT_MS = 5_000;

/** `serve` takes the database for a relay; `maintain` works beside a running one. */
export type StatePurpose = 'serve' | 'maintain';

export interface RelayStateOptions {
  readonly settings: RelaySettings;
  readonly dataDirectory: string;
  readonly purpose: StatePurpose;
  /** Called with each step that may take long. */
  readonly begin?: ((step: string) => void) | undefined;
  readonly primary?: PrimaryLink | null;
}

/**
 * Opens the state. The embedded database is locked before anything in its folder is touched: two processes on
 * one PGlite destroy it.
 * @throws InstanceLockedError · DatabaseInUseError · Error when the database cannot be opened or migrated
 */
export async function openRelayState({
  settings,
  dataDirectory,
  purpose,
  begin,
  primary = null,
}: RelayStateOptions): Promise<RelayState> {
  const version = packageVersion();
  const facts: RelayFacts = { pid: process.pid, version };
  const embedded = settings.databaseUrl === undefined;
  const lock = embedded ? await acquireInstanceLock(dataDirectory, 'relay', () => facts) : undefined;
  const location = databaseLocation(settings, dataDirectory);
  let relayLock: RelayLock | undefined;
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    // Before the migrations, which the other relay may be too old for.
    // That of all workers is held by the primary process.
    if (purpose === 'serve' && primary === null) relayLock = await lockDatabase(settings, dataDirectory);
    const secret = settings.secret ?? (await ensureRelaySecret(dataDirectory));
    const database = await openDatabase(location, databaseLimits(settings), begin);
    const { config, listensAt } = createRelayConfig({
      settings: settingsOf(primary, settings),
      dataDirectory: primary === null ? dataDirectory : path.join(dataDirectory, `worker-${primary.worker}`),
      version,
      secret,
      primary,
    });
    return {
      config,
      database,
      listensAt: (address) => {
        listensAt(address);
        facts.base_url = config.baseUrl;
      },
      close: async () => {
        await database.close();
        await relayLock?.release();
        await lock?.release();
      },
    };
  } catch (error) {
    await relayLock?.release();
    await lock?.release();
    throw error;
  }
}

/** All but the first of several workers leave the first account and its file to that. */
const settingsOf = (primary: PrimaryLink | null, settings: RelaySettings): RelaySettings =>
  (primary?.worker ?? 1) === 1 ? settings : { ...settings, bootstrapCredentialsFile: undefined };

/** The embedded database has the lock of its directory. @throws DatabaseInUseError · Error when the database cannot be reached */
export async function lockDatabase(settings: RelaySettings, dataDirectory: string): Promise<RelayLock | undefined> {
  const location = databaseLocation(settings, dataDirectory);
  if (!('url' in location)) return undefined;
  const { databaseConnectTimeoutMs, databaseQueryTimeoutMs } = settings;
  try {
    return await RelayLock.acquire({
      url: location.directUrl ?? location.url,
      mode: modeOf(settings),
      connectTimeoutMs: databaseConnectTimeoutMs,
      queryTimeoutMs: databaseQueryTimeoutMs,
      waitMs: LOCK_WAIT_MS,
    });
  } catch (error) {
    throw error instanceof DatabaseInUseError ? error : cannotOpen(location, error);
  }
}

const modeOf = ({ natsUrl, sharedDatabase }: RelaySettings): RelayLockMode => {
  if (sharedDatabase === 'on') return 'unchecked';
  return natsUrl === undefined ? 'exclusive' : 'shared';
};
