import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { DataSource } from 'typeorm';
import { isDatabaseUnavailable } from '../http/errors/database-unavailable.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

// A first start of the embedded database takes seconds, more on a busy machine.
jest.setTimeout(120_000);

const limits = { queryTimeoutMs: 2_000, connectTimeoutMs: 10_000, poolSize: 5 };

let folder: string;
let database: OpenDatabase;
let dataSource: DataSource;

const open = async (): Promise<void> => {
  database = await openDatabase({ embedded: { dataDir: path.join(folder, 'pgdata') } }, limits);
  dataSource = await new DataSource({ ...database.options, entities: [] }).initialize();
};

const close = async (): Promise<void> => {
  await dataSource.destroy();
  await database.close();
};

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-database-'));
  // What a first start leaves behind that was killed in the middle.
  await mkdir(path.join(folder, 'pgdata.new'));
  await writeFile(path.join(folder, 'pgdata.new', 'PG_VERSION'), '18');
  await open();
});

afterAll(async () => {
  await close();
  await rm(folder, { recursive: true, force: true });
});

const query = (sql: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> =>
  dataSource.query<Record<string, unknown>[]>(sql, parameters);

describe('the embedded database', () => {
  it('starts over after an interrupted first start', async () => {
    expect(await readdir(folder)).toEqual(['pgdata']);
    expect(await query('SELECT $1::int AS one', [1])).toEqual([{ one: 1 }]);
  });

  it('shared memory is for one session, which may hold a thousand locks', async () => {
    expect(await query('SHOW shared_memory_size')).toEqual([{ shared_memory_size: '8MB' }]);
    const locked = await query('SELECT count(pg_advisory_xact_lock(id)) AS locks FROM generate_series(1, 1000) AS id');
    expect(locked).toEqual([{ locks: '1000' }]);
  });

  it('the embedded database is migrated on open, and a second start has nothing to do', async () => {
    const before = await query('SELECT name FROM migration ORDER BY id');
    expect(before.length).toBeGreaterThan(0);
    await close();
    await open();
    expect(await query('SELECT name FROM migration ORDER BY id')).toEqual(before);
  });

  it('answers concurrent queries, each with its own result', async () => {
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_none, index) => query('SELECT $1::int AS i', [index])),
    );
    expect(responses.map(([row]) => row?.['i'])).toEqual(Array.from({ length: 50 }, (_none, index) => index));
  });

  it('continues after a failed query', async () => {
    await expect(query('SELECT * FROM nothing WHERE a = $1', [1])).rejects.toMatchObject({ code: '42P01' });
    expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('times out a slow query and discards its result', async () => {
    const slow = query('SELECT pg_sleep(3), 1 AS late');
    await expect(slow).rejects.toThrow('Query read timeout');
    expect(isDatabaseUnavailable(await slow.catch((error: unknown) => error))).toBe(true);
    const next = await query('SELECT 2 AS next').catch(() => query('SELECT 2 AS next'));
    expect(next).toEqual([{ next: 2 }]);
  });

  it('rolls back transactions of a lost connection', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('CREATE TABLE unfinished (a int)');
    await runner.query('SELECT pg_advisory_lock(1)');
    const { connection } = (await runner.connect()) as { connection: { stream: Duplex } };
    connection.stream.destroy();
    await runner.release().catch(() => undefined);
    const state = (): Promise<Record<string, unknown>[]> =>
      query(
        `SELECT to_regclass('unfinished') AS relation, (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory') AS locks`,
      );
    expect(await state().catch(state)).toEqual([{ relation: null, locks: 0 }]);
  });

  it('a crashed embedded database fails queries without ending the process', async () => {
    await database.close();
    const failure = await query('SELECT 1').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    await dataSource.destroy();
    await open();
  });
});
