import { describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { layEmbeddedDatabase } from '../../../../test/support/db/embedded-database.js';
import { openDatabase, reachDatabase } from './open-database.js';

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

  it('a database that cannot be opened in an invalid folder names it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-database-'));
    const dataDir = path.join(folder, 'pgdata');
    await writeFile(dataDir, 'a file');
    await expect(openDatabase({ embedded: { dataDir } }, limits)).rejects.toThrow(
      `cannot open the embedded database in ${dataDir}: `,
    );
    await rm(folder, { recursive: true });
  });
});

describe('an embedded database with a migration that the program does not have', () => {
  it.each([
    [
      'of a newer version, is refused with its name',
      'Future9999999999999',
      /^cannot open the embedded database in \S+: it has the schema of a newer Ferry \(Future9999999999999\): [^\n]+$/,
    ],
    [
      'of a version before 0.1.0, is refused with what to do',
      'Accounts1763600000000',
      /^cannot open the embedded database in \S+: it was made before Ferry 0\.1\.0, and no later version reads it: start the version that made it, or begin with an empty database$/,
    ],
  ])('%s, and stays as it is', async (_case, name, refusal) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'ferry-unknown-'));
    await layEmbeddedDatabase(folder);
    const location = { embedded: { dataDir: path.join(folder, 'relay/pgdata') } };
    const query = async (statement: string): Promise<unknown> => {
      const reached = await reachDatabase(location, 1);
      const client = new pg.Client({
        user: 'postgres',
        database: 'postgres',
        ...(reached.target.extra as pg.ClientConfig),
      });
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(statement);
      await client.end();
      await reached.close();
      return rows;
    };
    await query('DELETE FROM migration WHERE id > (SELECT min(id) FROM migration)');
    await query(`UPDATE migration SET timestamp = ${name.slice(-13)}, name = '${name}'`);
    await expect(openDatabase(location, limits)).rejects.toThrow(refusal);
    // The folder was released: the next start says the same.
    await expect(openDatabase(location, limits)).rejects.toThrow(refusal);
    expect(await query('SELECT name FROM migration')).toEqual([{ name }]);
    await rm(folder, { recursive: true });
  });
});
