/** Embedded databases with all migrations, copied from the one that migrated-database.setup.js created. */
import { cp, mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { DatabaseLimits } from '../../../src/relay/platform/database/database-options.js';
import { openDatabase, type OpenDatabase } from '../../../src/relay/platform/database/open-database.js';

const migrated = (): string => {
  const folder = process.env['TEST_MIGRATED_DATABASE'];
  if (folder === undefined) throw new Error('only unit specs have it: migrated-database.setup.js has not run');
  return folder;
};

/** In memory. */
export async function openEmbeddedDatabase(limits: Partial<DatabaseLimits> = {}): Promise<OpenDatabase> {
  // Read completely: a Blob of a file cannot be transferred to the worker of the database.
  const loadDataDir = new Blob([await readFile(path.join(migrated(), 'contents.tar'))]);
  return openDatabase(
    { embedded: { loadDataDir } },
    { queryTimeoutMs: 10_000, connectTimeoutMs: 10_000, poolSize: 1, ...limits },
  );
}

/** On disk, in the data directory of a relay. */
export async function layEmbeddedDatabase(dataDirectory: string): Promise<void> {
  const folder = path.join(dataDirectory, 'relay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await cp(path.join(migrated(), 'pgdata'), path.join(folder, 'pgdata'), { recursive: true });
}
