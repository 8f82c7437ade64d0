import { DataSource, type QueryRunner } from 'typeorm';
import { acquireInstanceLock } from '../../kernel/instance-lock.js';
import { packageVersion } from '../platform/config/relay-config.js';
import type { RelaySettings } from '../platform/config/relay-settings.js';
import { databaseLimits, databaseLocation } from '../platform/database/database-location.js';
import { migrationOptions } from '../platform/database/database-options.js';
import {
  cannotOpen,
  reachDatabase,
  requireReadable,
  type DatabaseLocation,
} from '../platform/database/open-database.js';
import { RelayLock } from '../platform/database/relay-lock.js';

/** One connection to the database of a relay, without a relay and without migrations. */
export interface DatabaseSession {
  readonly dataSource: DataSource;
  readonly runner: QueryRunner;
}

/**
 * @param use while it runs, no relay can open an embedded database
 * @throws InstanceLockedError when a relay has the embedded database open · Error when the database cannot be opened
 */
export async function withDatabase<Result>(
  settings: RelaySettings,
  dataDirectory: string,
  use: (session: DatabaseSession) => Promise<Result>,
): Promise<Result> {
  const location = databaseLocation(settings, dataDirectory);
  const lock =
    'url' in location
      ? undefined
      : await acquireInstanceLock(dataDirectory, 'relay', () => ({ pid: process.pid, version: packageVersion() }));
  try {
    return await withConnection(settings, location, use);
  } finally {
    await lock?.release();
  }
}

/** The same without a lock, for a database that nothing else has open. @throws Error when it cannot be opened */
export async function withConnection<Result>(
  settings: RelaySettings,
  location: DatabaseLocation,
  use: (session: DatabaseSession) => Promise<Result>,
): Promise<Result> {
  const direct = 'url' in location ? { url: location.directUrl ?? location.url } : location;
  const reached = await reachDatabase(direct, 1).catch((error: unknown) => {
    throw cannotOpen(location, error);
  });
  try {
    const options = { ...migrationOptions(reached.target, databaseLimits(settings)), entities: [] };
    const dataSource = await new DataSource(options).initialize().catch((error: unknown) => {
      throw cannotOpen(location, error);
    });
    const runner = dataSource.createQueryRunner();
    try {
      // A program that does not know every table would leave rows out.
      await requireReadable(dataSource, runner).catch((error: unknown) => {
        throw cannotOpen(location, error);
      });
      return await use({ dataSource, runner });
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
  } finally {
    await reached.close();
  }
}

/** Runs `work` while no relay can use the Postgres database. @throws DatabaseInUseError when one does */
export async function withoutRelays<Result>(settings: RelaySettings, work: () => Promise<Result>): Promise<Result> {
  const { databaseUrl, migrationsUrl, databaseConnectTimeoutMs, databaseQueryTimeoutMs } = settings;
  if (databaseUrl === undefined) return work();
  const lock = await RelayLock.acquire({
    url: migrationsUrl ?? databaseUrl,
    mode: 'exclusive',
    connectTimeoutMs: databaseConnectTimeoutMs,
    queryTimeoutMs: databaseQueryTimeoutMs,
    waitMs: 0,
  });
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
