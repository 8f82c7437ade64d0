import { access, rename, rm } from 'node:fs/promises';
import {
  migrationOptions,
  servingOptions,
  type DatabaseLimits,
  type DatabaseTarget,
  type PostgresOptions,
} from './database-options.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
import { DataSource, MigrationExecutor, type DataSourceOptions } from 'typeorm';

/** One number for every relay on one database: whoever holds it migrates, the others wait and find nothing left to do. */
const MIGRATION_LOCK = 7_238_110_514;

/**
 * Brings the schema up to date under an advisory lock, on ONE connection: with a pool of one, a second one (which
 * TypeORM's own `migrationsRun` would take) waits for ever.
 */
async function runMigrations(options: DataSourceOptions): Promise<void> {
  const dataSource = await new DataSource({ ...options, entities: [] }).initialize();
  try {
    const queryRunner = dataSource.createQueryRunner();
    try {
      await queryRunner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const executor = new MigrationExecutor(dataSource, queryRunner);
      // One transaction each: those that succeeded before a failure stay, and the next start goes on from there.
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      await queryRunner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    } finally {
      // Ends the session's lock too, should the line above not have been reached: the connection closes with the data source.
      await queryRunner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** Which database: a Postgres address, or the embedded one. */
export type DatabaseLocation = { readonly url: string } | { readonly embedded: EmbeddedPostgresOptions };

export interface OpenDatabase {
  /** For `DatabaseModule.forRoot`. */
  readonly options: PostgresOptions;
  /** After the application has closed its data source. */
  readonly close: () => Promise<void>;
}

export interface ReachedDatabase {
  readonly target: DatabaseTarget;
  readonly close: () => Promise<void>;
}

/**
 * Starts the embedded database when it is the one, and brings the schema up to date.
 * @throws Error with one line that says which database and what is wrong with it
 */
export async function openDatabase(location: DatabaseLocation, limits: DatabaseLimits): Promise<OpenDatabase> {
  let close: (() => Promise<void>) | undefined;
  try {
    const reached = await reachDatabase(location, limits.poolSize);
    close = reached.close;
    await runMigrations(migrationOptions(reached.target, limits));
    return { options: servingOptions(reached.target, limits), close };
  } catch (error) {
    await close?.();
    throw new Error(`cannot open ${nameOf(location)}: ${reasonOf(error)}`, { cause: error });
  }
}

/** Makes the database reachable, whatever its schema. The folder of an embedded one must be locked by the caller. */
export async function reachDatabase(location: DatabaseLocation, poolSize: number): Promise<ReachedDatabase> {
  if ('url' in location) return { target: { url: location.url, poolSize, extra: {} }, close: () => Promise.resolve() };
  const { dataDir } = location.embedded;
  if (dataDir !== undefined) await createWhole(dataDir);
  const embedded = await EmbeddedPostgres.start(location.embedded);
  return {
    target: { url: undefined, poolSize: 1, extra: { stream: embedded.createStream } },
    close: () => embedded.stop(),
  };
}

/**
 * A first start takes seconds, and people interrupt it: the folder gets its name when it is complete. What an interrupted
 * start left behind never held anything.
 */
async function createWhole(dataDir: string): Promise<void> {
  if (await exists(dataDir)) return;
  const unfinished = `${dataDir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const first = await EmbeddedPostgres.start({ dataDir: unfinished });
  await first.stop();
  await rename(unfinished, dataDir);
}

const nameOf = (location: DatabaseLocation): string =>
  'url' in location
    ? 'the database of DATABASE_URL'
    : `the embedded database in ${location.embedded.dataDir ?? 'memory'}`;

/** A name with several addresses fails with several errors and no message of its own. */
function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, errors } = error as { readonly message?: string; readonly errors?: readonly unknown[] };
  return errors === undefined ? (message ?? 'unknown') : errors.map(reasonOf).join(', ');
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
