import { describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openDatabase } from './open-database.js';

// Starting the embedded database takes seconds, also in vain.
jest.setTimeout(60_000);

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
