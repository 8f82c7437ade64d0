/** Backups of an embedded database on disk that a relay has open and writes to. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { layEmbeddedDatabase } from '../../../test/support/db/embedded-database.js';
import { acquireInstanceLock, InstanceLockedError, type InstanceLock } from '../../kernel/instance-lock.js';
import type { RelayConfig } from '../platform/config/relay-config.js';
import { loadRelaySettings } from '../platform/config/resolve-relay-config.js';
import { EmbeddedMaintenance } from '../platform/database/embedded-maintenance.store.js';
import { openDatabase, type OpenDatabase } from '../platform/database/open-database.js';
import { backUp, type BackUpResult } from './back-up.js';
import { BackupModule } from './backup.module.js';
import { readDatabase } from './running-database.js';

jest.setTimeout(120_000);

let folder: string;
let directory: string;
let lock: InstanceLock;
let database: OpenDatabase;
let dataSource: DataSource;
let control: BackupModule;

/** The parts of a relay that matter here. */
beforeEach(async () => {
  Logger.overrideLogger(false);
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-running-'));
  directory = path.join(folder, 'relay');
  await layEmbeddedDatabase(folder);
  lock = await acquireInstanceLock(directory, 'relay', () => ({ pid: 42 }));
  const location = { embedded: { dataDir: path.join(directory, 'pgdata') } };
  database = await openDatabase(location, { queryTimeoutMs: 30_000, connectTimeoutMs: 30_000, poolSize: 1 });
  dataSource = await new DataSource({ ...database.options, entities: [] }).initialize();
  const config = { settings: loadRelaySettings({}).values, dataDirectory: directory } as unknown as RelayConfig;
  control = new BackupModule(new EmbeddedMaintenance(dataSource, config), config);
  await control.onApplicationBootstrap();
  await dataSource.query(`INSERT INTO account (id, name) VALUES ('acc_1', '0')`);
});

afterEach(async () => {
  await control.beforeApplicationShutdown();
  await dataSource.destroy();
  await database.close();
  await lock.release();
  await rm(folder, { recursive: true, force: true });
});

const fileOf = (name: string): string => path.join(folder, name);

const take = (name: string, options: { signal?: AbortSignal; withSecret?: boolean } = {}): Promise<BackUpResult> =>
  backUp({ env: { FERRY_DATA_DIR: folder }, file: fileOf(name), withSecret: false, ...options });

const rowsOf = async (name: string, table: string): Promise<Record<string, unknown>[]> => {
  const text = gunzipSync(await readFile(fileOf(name))).toString();
  const part = text.slice(text.indexOf(`{"table":"${table}"`), text.indexOf(`{"end":"${table}"`));
  return part
    .split('\n')
    .filter((line) => line.startsWith('{"row":'))
    .map((line) => (JSON.parse(line) as { row: Record<string, unknown> }).row);
};

const addKeys = (rows: number): string => `
  INSERT INTO api_key (account_id, id, digest, name, last4, scopes)
  SELECT 'acc_1', 'key_' || md5(random()::text), decode(md5(random()::text), 'hex'), repeat(md5(random()::text), 4), 'abcd', '{inference}'
  FROM generate_series(1, ${rows})`;

/**
 * Adds keys, and tells in the same transaction how many there are, until `work` is done. Their ids are all over the index, which is larger
 * than the buffers: pages are written to the files all the time.
 * @returns the number in the end
 */
async function writeDuring(work: () => Promise<unknown>): Promise<number> {
  let written = 10_000;
  await dataSource.query(addKeys(written));
  let done = false;
  const working = work().finally(() => (done = true));
  while (!done) {
    await dataSource.transaction(async (manager) => {
      written += 50;
      await manager.query(addKeys(50));
      await manager.query(`UPDATE account SET name = $1`, [String(written)]);
    });
  }
  await working;
  return written;
}

describe('a backup of a running embedded database', () => {
  it('a backup of a running embedded database is of one moment, while the relay goes on writing', async () => {
    const written = await writeDuring(() => take('running.backup'));
    const keys = await rowsOf('running.backup', 'api_key');
    const [account] = await rowsOf('running.backup', 'account');
    expect(Number(account?.['name'])).toBe(keys.length);
    expect(keys.length).toBeGreaterThanOrEqual(10_000);
    expect(written).toBeGreaterThan(keys.length);
  });

  it('holds what was committed before it began, and the secret on demand', async () => {
    await dataSource.query(`UPDATE account SET name = 'just now'`);
    const made = await take('second.backup', { withSecret: true });
    expect(made).toMatchObject({ counts: { account: 1 }, heldUpMs: expect.any(Number) });
    expect(await rowsOf('second.backup', 'account')).toEqual([expect.objectContaining({ name: 'just now' })]);
    const header = gunzipSync(await readFile(fileOf('second.backup'))).toString();
    expect(header).toContain((await readFile(path.join(directory, 'secret'), 'utf8')).trim());
  });

  it('leaves nothing behind: not when it is done, when it is aborted, or by one that was killed', async () => {
    await mkdir(path.join(directory, 'pgdata.copy'));
    await writeFile(path.join(directory, 'pgdata.copy', 'PG_VERSION'), 'of a killed backup');
    const stop = new AbortController();
    const stopped = take('stopped.backup', { signal: stop.signal });
    setTimeout(() => {
      stop.abort();
    }, 100);
    await expect(stopped).rejects.toThrow('aborted');
    expect(await readdir(folder)).toEqual(['relay']);
    await take('third.backup');
    expect((await readdir(folder)).sort()).toEqual(['relay', 'third.backup']);
    expect(await readdir(directory)).not.toContain('pgdata.copy');
  });

  it('a backup of a running embedded database is refused while another command has a copy', async () => {
    const data = { settings: loadRelaySettings({}).values, directory };
    const { heldUpMs } = await readDatabase(data, async () => {
      await expect(take('other.backup')).rejects.toThrow(
        `another command reads the database of this relay (pid ${process.pid}): wait until it is done`,
      );
    });
    expect(heldUpMs).toEqual(expect.any(Number));
    expect(await readdir(folder)).toEqual(['relay']);
  });

  it('fails when the relay cannot make the checkpoint, and leaves no file', async () => {
    await dataSource.destroy();
    await expect(take('none.backup')).rejects.toThrow();
    expect(await readdir(folder)).toEqual(['relay']);
    await dataSource.initialize();
  });

  it('a backup of a running embedded database is refused when what uses the database is no relay', async () => {
    await control.beforeApplicationShutdown();
    await expect(take('restore.backup')).rejects.toThrow(InstanceLockedError);
  });
});
