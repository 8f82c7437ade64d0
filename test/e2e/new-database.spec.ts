// Own processes: none but the embedded database, which is opened as a first start opens it.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { migrations } from '../../src/relay/platform/database/migrations/index.js';
import { openDatabase, reachDatabase } from '../../src/relay/platform/database/open-database.js';
import { migrationOptions } from '../../src/relay/platform/database/database-options.js';
import { unpackFolder } from '../../src/relay/platform/database/unpack-folder.js';
import { repositoryRoot } from '../support/process/ferry-process.js';

Logger.overrideLogger(false);

const limits = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000, poolSize: 1 };

describe('the database that a build makes for first starts', () => {
  let folder: string;
  let location: { readonly embedded: { readonly dataDir: string } };

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ferry-new-database-'));
    location = { embedded: { dataDir: path.join(folder, 'pgdata') } };
    const archive = path.join(repositoryRoot, 'dist/relay/platform/database/new-database.br');
    await unpackFolder(archive, location.embedded.dataDir);
  }, 60_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('the database that a build makes for first starts has the schema of this version and no rows', async () => {
    const { target, close } = await reachDatabase(location, 1);
    const dataSource = await new DataSource({ ...migrationOptions(target, limits), entities: [] }).initialize();
    const read = (sql: string) => dataSource.query<{ name: string; rows: number }[]>(sql);
    const applied = await read('SELECT name FROM migration ORDER BY timestamp');
    expect(applied.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    const tables = await read(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables.filter((table) => table.name !== 'migration')) {
      expect([name, ...(await read(`SELECT count(*)::int AS rows FROM "${name}"`))]).toEqual([name, { rows: 0 }]);
    }
    await dataSource.destroy();
    await close();
  }, 60_000);

  it('opens as after an earlier start', async () => {
    const steps: string[] = [];
    const { close } = await openDatabase(location, limits, (step) => steps.push(step));
    await close();
    expect(steps).toEqual(['opening its database', 'bringing its database up to date']);
  }, 60_000);
});
