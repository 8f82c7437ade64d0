/**
 * A program that creates the given folder with a freshly migrated embedded database: `pgdata` as a relay has it on disk, and
 * `contents.tar` for a database in memory.
 */
import { PGlite } from '@electric-sql/pglite';
import { Logger } from '@nestjs/common';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from '../../../src/relay/platform/database/open-database.js';

const folder = process.argv[2];
if (folder === undefined) throw new Error('usage: migrated-database.program.ts <folder>');

Logger.overrideLogger(false);
await mkdir(path.dirname(folder), { recursive: true });
// The folder is renamed when it is complete. Another run may do the same concurrently; either result is valid.
const unfinished = await mkdtemp(`${folder}.`);
try {
  const dataDir = path.join(unfinished, 'pgdata');
  const limits = { queryTimeoutMs: 30_000, connectTimeoutMs: 30_000, poolSize: 1 };
  await (await openDatabase({ embedded: { dataDir } }, limits)).close();
  const database = await PGlite.create({ dataDir });
  const contents = await database.dumpDataDir('none');
  await database.close();
  await writeFile(path.join(unfinished, 'contents.tar'), Buffer.from(await contents.arrayBuffer()));
  await rename(unfinished, folder).catch((error: unknown) => {
    if (!existsSync(folder)) throw error;
  });
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
