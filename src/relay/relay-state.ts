/** Persistent state of the relay: data folder, lock, secret, database. */
import { mkdir } from 'node:fs/promises';
import { acquireInstanceLock } from '../kernel/instance-lock.js';
import { createRelayConfig, type PendingRelayConfig, packageVersion } from './platform/config/relay-config.js';
import { ensureRelaySecret } from './platform/config/relay-secret.js';
import type { RelaySettings } from './platform/config/relay-settings.js';
import { databaseLimits, databaseLocation } from './platform/database/database-location.js';
import { openDatabase, type OpenDatabase } from './platform/database/open-database.js';

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

/**
 * Opens the state. The embedded database is locked before anything in its folder is touched: two processes on
 * one PGlite destroy it.
 * @throws InstanceLockedError · Error when the database cannot be opened or migrated
 */
export async function openRelayState(settings: RelaySettings, dataDirectory: string): Promise<RelayState> {
  const version = packageVersion();
  const facts: RelayFacts = { pid: process.pid, version };
  const embedded = settings.databaseUrl === undefined;
  const lock = embedded ? await acquireInstanceLock(dataDirectory, 'relay', () => facts) : undefined;
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    const secret = settings.secret ?? (await ensureRelaySecret(dataDirectory));
    const database = await openDatabase(databaseLocation(settings, dataDirectory), databaseLimits(settings));
    const { config, listensAt } = createRelayConfig({ settings, dataDirectory, version, secret });
    return {
      config,
      database,
      listensAt: (address) => {
        listensAt(address);
        facts.base_url = config.baseUrl;
      },
      close: async () => {
        await database.close();
        await lock?.release();
      },
    };
  } catch (error) {
    await lock?.release();
    throw error;
  }
}
