/** Which relays may share a Postgres database. */
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Logger } from '@nestjs/common';
import pg from 'pg';
import { RelayLock } from '../../src/relay/platform/database/relay-lock.js';
import { CutProxy } from '../support/network/cut-proxy.js';
import { stoppableDatabase, type StoppableDatabase } from '../support/db/stoppable-database.js';
import { eventually } from '../support/clock/eventually.js';
import { FerryProcess } from '../support/process/ferry-process.js';
import { TestRelay } from '../support/process/test-relay.js';
import { RelayGroup } from '../support/process/relay-group.js';

describe('a database of Postgres', () => {
  let database: StoppableDatabase;
  let first: TestRelay;
  let directory: string;
  beforeEach(async () => {
    database = await stoppableDatabase();
    expect(database.kind).toBe('postgres');
    directory = await mkdtemp(path.join(tmpdir(), 'ferry-second-'));
    first = await TestRelay.start({ database: 'embedded', env: database.env });
  }, 60_000);
  afterEach(async () => {
    await first.stop();
    await database.remove();
    await rm(directory, { recursive: true });
  });
  const startSecond = (env: Record<string, string> = {}): FerryProcess =>
    FerryProcess.start(['serve'], { ...database.env, FERRY_DATA_DIR: directory, FERRY_PORT: '0', ...env });
  const serves = ({ stdout, stderr }: FerryProcess): boolean => `${stdout}${stderr}`.includes('ready');
  const isReady = (relay: FerryProcess): Promise<unknown> =>
    eventually('the relay is ready', () => serves(relay), 20_000);

  it('refuses a second relay without a bus, and lets it in when the first was killed', async () => {
    const refused = startSecond();
    await eventually('it has ended', () => !refused.running, 30_000);
    expect(refused.stderr).toMatch(/another relay uses the database of DATABASE_URL/);
    expect(refused.stderr).toMatch(/try: .*FERRY_ALLOW_SHARED_DATABASE=on/);
    const beside = startSecond({ FERRY_ALLOW_SHARED_DATABASE: 'on' });
    await isReady(beside);
    await beside.stop();
    await first.process.stop('SIGKILL');
    const next = startSecond();
    await isReady(next);
    await next.stop();
  }, 90_000);

  it('a database of Postgres is migrated and locked at the address of FERRY_MIGRATIONS_URL', async () => {
    const direct = new URL(database.env['DATABASE_URL'] ?? '');
    const owner = new pg.Client({ connectionString: direct.href });
    await owner.connect();
    await owner.query('CREATE DATABASE other');
    await owner.query('CREATE ROLE app LOGIN');
    await owner.end();
    // As a pooler would: another address, and what it leads to cannot change the schema.
    const other = { migrations: new URL('/other', direct), serving: new URL('/other', direct) };
    other.serving.username = 'app';
    const grants = new pg.Client({ connectionString: other.migrations.href });
    await grants.connect();
    await grants.query('ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO app');
    await grants.query('ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO app');
    await grants.end();
    const alone = startSecond({ DATABASE_URL: other.serving.href });
    await eventually('it has ended', () => !alone.running, 30_000);
    expect(alone.stderr).toMatch(/permission denied for schema public/);
    const relay = startSecond({ DATABASE_URL: other.serving.href, FERRY_MIGRATIONS_URL: other.migrations.href });
    await isReady(relay);
    await relay.stop();
  }, 90_000);

  it('a database of a version before 0.1.0 is refused with what to do, and stays as it is', async () => {
    await first.stop();
    const owner = new pg.Client({ connectionString: database.env['DATABASE_URL'] });
    await owner.connect();
    const early = { timestamp: '1763600000000', name: 'Accounts1763600000000' };
    await owner.query('DELETE FROM migration WHERE id > (SELECT min(id) FROM migration)');
    await owner.query('UPDATE migration SET timestamp = $1, name = $2', [early.timestamp, early.name]);
    const refused = startSecond();
    await eventually('it has ended', () => !refused.running, 30_000);
    expect(refused.stderr).toContain(
      'cannot open the database of DATABASE_URL: it was made before Ferry 0.1.0, and no later version reads it: ' +
        'start the version that made it, or begin with an empty database',
    );
    const { rows } = await owner.query('SELECT timestamp, name FROM migration');
    expect(rows).toEqual([early]);
    await owner.end();
  }, 90_000);

  it('a database of Postgres is locked again after an outage of it', async () => {
    await database.stop();
    await database.start();
    await eventually(
      'a second relay is refused',
      async () => {
        const second = startSecond();
        await eventually('it has ended or runs', () => !second.running || serves(second), 30_000);
        if (second.running) await second.stop();
        return second.stderr.includes('another relay uses the database');
      },
      60_000,
    );
  }, 90_000);
});

describe('the lock of a relay', () => {
  it('the lock of a relay is taken again after the network lost its connection, and no other relay is reported', async () => {
    const database = await stoppableDatabase();
    const url = new URL(database.env['DATABASE_URL'] ?? '');
    const network = await CutProxy.start(Number(url.port));
    const errors: unknown[] = [];
    Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: (text: unknown) => errors.push(text) });
    const observer = new pg.Client({ connectionString: url.href });
    await observer.connect();
    const sessions = async (): Promise<readonly number[]> => {
      const { rows } = await observer.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'ferry lock'",
      );
      return rows.map(({ pid }) => pid);
    };
    const behind = new URL(url);
    behind.port = String(network.port);
    const lock = await RelayLock.acquire({
      url: behind.href,
      mode: 'exclusive',
      connectTimeoutMs: 500,
      queryTimeoutMs: 500,
      waitMs: 0,
    });
    try {
      const before = await sessions();
      expect(before).toHaveLength(1);
      const { accepted } = network;
      network.cut('half_open');
      await eventually('it tries to connect', () => network.accepted > accepted);
      // Postgres has not noticed.
      expect(await sessions()).toEqual(before);
      network.heal();
      await eventually('another session', async () => {
        const now = await sessions();
        return now.length === 1 && now[0] !== before[0];
      });
      expect(errors).toEqual([]);
    } finally {
      await lock.release();
      await observer.end();
      await network.stop();
      await database.remove();
    }
  }, 90_000);
});

describe('relays with a bus', () => {
  it('start beside each other, and stay ready while the bus is down', async () => {
    const group = await RelayGroup.start(2);
    try {
      await group.connected();
      await group.nats.kill();
      await eventually('they say so', async () => {
        const degraded = await group.degraded();
        return degraded.every((parts) => parts.join() === 'bus');
      });
      await group.nats.restart();
      await group.connected();
    } finally {
      await group.stop();
    }
  }, 90_000);
});
