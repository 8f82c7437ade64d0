import { execFile } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { AdvisedError } from '../../../kernel/errors/advised-error.js';
import { fileExists } from '../../../kernel/file-exists.js';
import {
  migrationOptions,
  servingOptions,
  type DatabaseLimits,
  type DatabaseTarget,
  type PostgresOptions,
} from './database-options.js';
import { openFailure } from './open-failure.js';
import { EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
import { SchemaVersions } from './schema-versions.js';
import { DataSource, MigrationExecutor, type DataSourceOptions, type QueryRunner } from 'typeorm';

/** Advisory lock of the migrations, the same number for all relays on one database: one migrates, the others wait and find it done. */
const MIGRATION_LOCK = 7_238_110_514;

const CREATE_PROGRAM = new URL('./create-pglite.program.js', import.meta.url);
/** Made by the build, with its schema. Where the program runs from its sources there is none. */
const NEW_DATABASE = fileURLToPath(new URL('./new-database.br', import.meta.url));
const UNPACK_PROGRAM = new URL('./unpack-folder.program.js', import.meta.url);

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
      await requireReadable(dataSource, queryRunner);
      const executor = new MigrationExecutor(dataSource, queryRunner);
      // One transaction each: after a failure the next start continues with the migration that failed.
      executor.transaction = 'each';
      await executor.executePendingMigrations();
      await queryRunner.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    } finally {
      // Closes the connection, which also releases the lock if the line above was not reached.
      await queryRunner.release();
    }
  } finally {
    await dataSource.destroy();
  }
}

/** An older relay would write rows that the schema of the newer one does not expect. @throws Error that says what to do */
export async function requireReadable(dataSource: DataSource, runner: QueryRunner): Promise<void> {
  const refusal = await new SchemaVersions(dataSource, runner).refusal();
  if (refusal !== undefined) throw new Error(`it ${refusal}`);
}

/** Postgres, or the embedded database. */
export type DatabaseLocation = PostgresLocation | { readonly embedded: EmbeddedPostgresOptions };

interface PostgresLocation {
  readonly url: string;
  /** Without a pooler that shares connections between transactions: locks belong to one connection. Absent: as `url`. */
  readonly directUrl?: string | undefined;
}

export interface OpenDatabase {
  /** Pass these to `DatabaseModule.forRoot`. */
  readonly options: PostgresOptions;
  /** After the application has closed its data source. */
  readonly close: () => Promise<void>;
}

export interface ReachedDatabase {
  readonly target: DatabaseTarget;
  readonly close: () => Promise<void>;
}

/**
 * Starts the embedded database, if that is used, and brings the schema up to date.
 * @param begin called with each step that may take long, in words that complete "it is …"
 * @throws Error with one line that names the database and the problem
 */
export async function openDatabase(
  location: DatabaseLocation,
  limits: DatabaseLimits,
  begin?: (step: string) => void,
): Promise<OpenDatabase> {
  let close: (() => Promise<void>) | undefined;
  try {
    const reached = await reachDatabase(location, limits.poolSize, begin);
    close = reached.close;
    const direct = 'url' in location ? { ...reached.target, url: location.directUrl ?? location.url } : reached.target;
    begin?.('bringing its database up to date');
    await runMigrations(migrationOptions(direct, limits));
    return { options: servingOptions(reached.target, limits), close };
  } catch (error) {
    await close?.();
    throw cannotOpen(location, error);
  }
}

export function cannotOpen(location: DatabaseLocation, error: unknown): AdvisedError {
  const { reason, advice } = openFailure('url' in location ? location.url : undefined, error);
  return new AdvisedError(`cannot open ${nameOf(location)}: ${reason}`, advice, { cause: error });
}

/** Makes the database reachable, without migrations. The caller must have locked the folder of an embedded one. */
export async function reachDatabase(
  location: DatabaseLocation,
  poolSize: number,
  begin?: (step: string) => void,
): Promise<ReachedDatabase> {
  if ('url' in location) return { target: { url: location.url, poolSize, extra: {} }, close: () => Promise.resolve() };
  const { dataDir } = location.embedded;
  if (dataDir !== undefined) await createWhole(dataDir, begin);
  begin?.('opening its database');
  const embedded = await EmbeddedPostgres.start(location.embedded);
  return {
    target: { url: undefined, poolSize: 1, extra: { stream: embedded.createStream } },
    close: () => embedded.stop(),
  };
}

/**
 * The first start may be interrupted: the folder is renamed to its final name when it is complete. The rest of an interrupted start
 * contains no data.
 */
async function createWhole(dataDir: string, begin?: (step: string) => void): Promise<void> {
  if (await fileExists(dataDir)) return;
  begin?.('making its database');
  const unfinished = `${dataDir}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const words = (await fileExists(NEW_DATABASE))
    ? [fileURLToPath(UNPACK_PROGRAM), NEW_DATABASE, unfinished]
    : [fileURLToPath(CREATE_PROGRAM), unfinished];
  await promisify(execFile)(process.execPath, words);
  await rename(unfinished, dataDir);
}

const nameOf = (location: DatabaseLocation): string =>
  'url' in location
    ? 'the database of DATABASE_URL'
    : `the embedded database in ${location.embedded.dataDir ?? 'memory'}`;
