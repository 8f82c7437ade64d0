import { describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { layEmbeddedDatabase } from '../../../../test/support/db/embedded-database.js';
import { openDatabase } from './open-database.js';

// Starting the embedded database takes seconds, also in vain.
jest.setTimeout(60_000);

Logger.overrideLogger(false);

const limits = { queryTimeoutMs: 500, connectTimeoutMs: 2_000, poolSize: 1 };

describe('a database that cannot be opened', () => {
  it.each(['127.0.0.1', 'localhost'])('at %s is reported in one line, without its password', async (host) => {
    const url = `postgres://user:password@${host}:1/ferry`;
    const failure = await openDatabase({ url }, limits).catch((error: unknown) => error as Error);
    expect(failure).toBeInstanceOf(Error);
    const { message } = failure as Error;
    expect(message).toMatch(/^cannot open the database of DATABASE_URL: connect ECONNREFUSED [^\n]+$/);
    expect(message).not.toContain('password');
  });

  it('in an invalid folder names it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-database-'));
    const dataDir = path.join(folder, 'pgdata');
    await writeFile(dataDir, 'a file');
    await expect(openDatabase({ embedded: { dataDir } }, limits)).rejects.toThrow(
      `cannot open the embedded database in ${dataDir}: `,
    );
    await rm(folder, { recursive: true });
  });
});

describe('a database that a newer Ferry has migrated', () => {
  it('is refused at every start, in one line that names its migration', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-newer-'));
    await layEmbeddedDatabase(folder);
    const patient = { ...limits, queryTimeoutMs: 30_000 };
    const location = { embedded: { dataDir: path.join(folder, 'relay/pgdata') } };
    const run = async (statement: string): Promise<void> => {
      const database = await openDatabase(location, patient);
      const dataSource = await new DataSource({ ...database.options, entities: [] }).initialize();
      await dataSource.query(statement);
      await dataSource.destroy();
      await database.close();
    };
    await run(`INSERT INTO migration (timestamp, name) VALUES (9999999999999, 'Future9999999999999')`);
    const refusal =
      /^cannot open the embedded database in \S+: it has the schema of a newer Ferry \(Future9999999999999\): [^\n]+$/;
    await expect(openDatabase(location, patient)).rejects.toThrow(refusal);
    // The folder was released: the next start says the same.
    await expect(openDatabase(location, patient)).rejects.toThrow(refusal);
    await rm(folder, { recursive: true });
  });
});
