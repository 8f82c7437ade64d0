/**
 * Embedded databases with all migrations, copied from the one that migrated-database.setup.js created. Loading one takes most of a second of
 * processor time, so one in memory that a spec file has closed is emptied and used again by the next one of the same worker.
 */
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import pg from 'pg';
import { servingOptions, type DatabaseLimits } from '../../../src/relay/platform/database/database-options.js';
import { EmbeddedPostgres } from '../../../src/relay/platform/database/embedded-postgres.js';
import type { OpenDatabase } from '../../../src/relay/platform/database/open-database.js';

const migrated = (): string => {
  const folder = process.env['TEST_MIGRATED_DATABASE'];
  if (folder === undefined) throw new Error('only unit specs have it: migrated-database.setup.js has not run');
  return folder;
};

interface LoadedDatabase {
  readonly embedded: EmbeddedPostgres;
  /** Tables, columns, indexes and constraints as they were migrated. */
  readonly schema: string;
}

export interface TestDatabase extends OpenDatabase {
  /** As a server that crashed: whoever uses it is told at once. */
  readonly crash: () => Promise<void>;
}

const closed: LoadedDatabase[] = [];

/** In memory. */
export async function openEmbeddedDatabase(limits: Partial<DatabaseLimits> = {}): Promise<TestDatabase> {
  const database = closed.pop() ?? (await load());
  const target = { url: undefined, poolSize: 1, extra: { stream: database.embedded.createStream } };
  const defaults = { queryTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1 };
  return {
    options: servingOptions(target, { ...defaults, ...limits }),
    close: () => giveBack(database),
    crash: () => database.embedded.stop(),
  };
}

async function load(): Promise<LoadedDatabase> {
  // Read completely: a Blob of a file cannot be transferred to the worker of the database.
  const loadDataDir = new Blob([await readFile(path.join(migrated(), 'contents.tar'))]);
  const embedded = await EmbeddedPostgres.start({ loadDataDir });
  // One that waits for the next spec file must not keep Jest's worker from ending.
  (embedded as unknown as { readonly worker: Worker }).worker.unref();
  return { embedded, schema: await connected(embedded, schemaOf) };
}

/** One whose schema a spec has changed, or that does not answer any more, is of no use to others. */
async function giveBack({ embedded, schema }: LoadedDatabase): Promise<void> {
  const isAsMigrated = await connected(embedded, async (client) => {
    if ((await schemaOf(client)) !== schema) return false;
    await client.query(EMPTY_TABLES);
    return true;
  }).catch(() => false);
  if (isAsMigrated) closed.push({ embedded, schema });
  else await embedded.stop();
}

async function connected<Result>(
  embedded: EmbeddedPostgres,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    user: 'postgres',
    database: 'postgres',
    stream: embedded.createStream,
    query_timeout: 5_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function schemaOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ schema: string }>(`
    SELECT string_agg(part, E'\\n' ORDER BY part) AS schema FROM (
      SELECT format('%s.%s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull) AS part
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
        WHERE relnamespace = 'public'::regnamespace AND attnum > 0
      UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
      UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    ) AS parts`);
  return rows[0]?.schema ?? '';
}

/** A statement. The audit trail refuses it, unless triggers are off, which they are for this statement only. */
export const EMPTY_TABLES = `DO $$ BEGIN
  PERFORM set_config('session_replication_role', 'replica', true);
  EXECUTE (SELECT format('TRUNCATE %s RESTART IDENTITY CASCADE', string_agg(format('%I', tablename), ', '))
    FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migration');
END $$`;

/** On disk, in the data directory of a relay. */
export async function layEmbeddedDatabase(dataDirectory: string): Promise<void> {
  const folder = path.join(dataDirectory, 'relay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await cp(path.join(migrated(), 'pgdata'), path.join(folder, 'pgdata'), { recursive: true });
}
