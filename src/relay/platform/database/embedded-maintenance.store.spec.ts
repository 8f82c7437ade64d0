/** Maintenance of an embedded database on disk. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { layEmbeddedDatabase } from '../../../../test/support/db/embedded-database.js';
import { systemClock } from '../../../kernel/clock.js';
import { loadRelaySettings } from '../config/resolve-relay-config.js';
import { EmbeddedMaintenance } from './embedded-maintenance.store.js';
import { openDatabase, type OpenDatabase } from './open-database.js';

jest.setTimeout(120_000);

const LIMIT_BYTES = 16 * 1024 * 1024;

let folder: string;
let database: OpenDatabase;
let dataSource: DataSource;
let maintenance: EmbeddedMaintenance;
let nowMs: number;

beforeAll(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-maintenance-'));
  await layEmbeddedDatabase(folder);
  const location = { embedded: { dataDir: path.join(folder, 'relay', 'pgdata') } };
  database = await openDatabase(location, { queryTimeoutMs: 30_000, connectTimeoutMs: 30_000, poolSize: 1 });
  dataSource = await new DataSource({ ...database.options, entities: [] }).initialize();
});

beforeEach(async () => {
  nowMs = 1_000;
  jest.spyOn(systemClock, 'monotonicMs').mockImplementation(() => nowMs);
  const { values } = loadRelaySettings({ FERRY_EMBEDDED_LOG_BYTES: String(LIMIT_BYTES) });
  maintenance = new EmbeddedMaintenance(dataSource, { settings: values });
  await dataSource.query('CHECKPOINT');
});

afterEach(() => {
  jest.restoreAllMocks();
});

afterAll(async () => {
  await dataSource.destroy();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** So much of log, and nothing else, which takes a fraction of the processor time of rows. */
const log = (mebibytes = 12): Promise<unknown> =>
  dataSource.query(`SELECT pg_logical_emit_message(false, 'spec', repeat('x', $1 * 1024 * 1024))`, [mebibytes]);

/** About 12 MiB of log. */
const write = (): Promise<unknown> =>
  dataSource.query(`INSERT INTO written (text) SELECT repeat(md5(random()::text), 10) FROM generate_series(1, 30000)`);

const logBytes = async (): Promise<number> => {
  const [{ bytes }] = await dataSource.query<[{ bytes: number }]>(
    'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()',
  );
  return bytes;
};

/** Of the files of the log. */
const fileBytes = async (): Promise<number> => {
  const [{ bytes }] = await dataSource.query<[{ bytes: number }]>(
    'SELECT sum(size)::float8 AS bytes FROM pg_ls_waldir()',
  );
  return bytes;
};

describe('maintenance of the embedded database', () => {
  it('keeps its log short, however much is written', async () => {
    for (let round = 1; round <= 12; round += 1) {
      await log();
      await maintenance.maintain();
      expect(await logBytes()).toBeLessThan(LIMIT_BYTES);
    }
    expect(await fileBytes()).toBeLessThanOrEqual(6 * LIMIT_BYTES);
  });

  it('leaves a log alone that is short', async () => {
    await log(1);
    const before = await logBytes();
    await maintenance.maintain();
    expect(await logBytes()).toBeGreaterThanOrEqual(before);
  });

  it('leaves the log for a copy for a quarter of an hour', async () => {
    await maintenance.checkpointForCopy();
    for (let round = 1; round <= 2; round += 1) await log();
    await maintenance.maintain();
    expect(await logBytes()).toBeGreaterThan(LIMIT_BYTES);
    nowMs += 900_000;
    await maintenance.maintain();
    expect(await logBytes()).toBeLessThan(LIMIT_BYTES);
  });

  it('lets the space of deleted rows be used again', async () => {
    const size = async (): Promise<number> => {
      const [{ bytes }] = await dataSource.query<[{ bytes: number }]>(
        `SELECT pg_relation_size('written')::float8 AS bytes`,
      );
      return bytes;
    };
    await dataSource.query('CREATE TABLE written (id bigserial, text text)');
    await write();
    await write();
    const full = await size();
    for (let hour = 1; hour <= 4; hour += 1) {
      await dataSource.query('DELETE FROM written WHERE id IN (SELECT id FROM written ORDER BY id LIMIT 30000)');
      nowMs += 3_600_000;
      await maintenance.maintain();
      await write();
    }
    expect(await size()).toBeLessThan(1.5 * full);
  });

  it('maintenance of the embedded database does nothing when the database is away', async () => {
    await dataSource.destroy();
    await maintenance.maintain();
    await dataSource.initialize();
  });
});
