import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { FakePostgres } from '../../../../test/support/db/fake-postgres.js';
import { CutProxy, cuts } from '../../../../test/support/network/cut-proxy.js';
import { isDatabaseUnavailable } from '../http/errors/database-unavailable.js';
import { servingOptions, type DatabaseTarget } from './database-options.js';

Logger.overrideLogger(false);

/** A fraction of those that a relay has by default. */
const limits = { queryTimeoutMs: 500, connectTimeoutMs: 500, poolSize: 5 };
const SLOW_MS = 350;
const IN_FLIGHT = 10;
const CUT_MS = 1_200;
const BACK_WITHIN_MS = 1_500;

let server: FakePostgres;
let network: CutProxy;
let dataSource: DataSource;

const targetOf = ({ port }: CutProxy): DatabaseTarget => ({
  url: `postgres://ferry@127.0.0.1:${port}/fake`,
  extra: {},
  poolSize: limits.poolSize,
});

beforeEach(async () => {
  server = await FakePostgres.start();
  network = await CutProxy.start(server.port, SLOW_MS);
  dataSource = await new DataSource({ ...servingOptions(targetOf(network), limits), migrations: [] }).initialize();
});

afterEach(async () => {
  await network.stop();
  await dataSource.destroy();
  await server.stop();
});

/** Two statements, with a moment between them. */
const change = (): Promise<unknown> =>
  dataSource.transaction(async (manager) => {
    await manager.query('UPDATE one');
    await delay(5);
    await manager.query('UPDATE other');
  });
const read = (): Promise<unknown> => dataSource.query('SELECT autocommit');

describe.each(cuts)('a database whose network fails (%s)', (how) => {
  it('fails queries as unavailable, and works again soon after it heals, in no transaction of before', async () => {
    const failures: unknown[] = [];
    const succeededAtMs: number[] = [];
    let over = false;
    const load = Array.from({ length: IN_FLIGHT }, async (_none, index) => {
      while (!over) {
        try {
          await (index % 2 === 0 ? change() : read());
          succeededAtMs.push(performance.now());
        } catch (error) {
          failures.push(error);
        }
        await delay(5);
      }
    });
    await eventually('queries are in flight', () => succeededAtMs.length > 5 * IN_FLIGHT);
    network.cut(how);
    await delay(CUT_MS);
    network.heal();
    const healedAtMs = performance.now();
    while (performance.now() - healedAtMs < BACK_WITHIN_MS + 200) await delay(20);
    over = true;
    await Promise.all(load);

    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !isDatabaseUnavailable(error))).toEqual([]);
    expect(server.misplaced).toEqual([]);
    const first = succeededAtMs.find((atMs) => atMs > healedAtMs) ?? Infinity;
    expect(first - healedAtMs).toBeLessThan(BACK_WITHIN_MS);
  });

  it('finds its idle connections usable after it heals, though none was used meanwhile but one', async () => {
    await Promise.all(Array.from({ length: limits.poolSize }, change));
    network.cut(how);
    await read().catch(() => undefined);
    await delay(limits.queryTimeoutMs);
    network.heal();
    await delay(50);
    await Promise.all(Array.from({ length: limits.poolSize }, change));
  });
});

describe('a database that is frozen for long', () => {
  it('finds few attempts to connect when it goes on, and then gets all connections again', async () => {
    let over = false;
    const load = Array.from({ length: IN_FLIGHT }, async () => {
      while (!over) {
        await read().catch(() => undefined);
        await delay(5);
      }
    });
    await eventually('all connections are in use', () => network.accepted >= limits.poolSize);
    network.cut('pause');
    await delay(limits.queryTimeoutMs + 50);
    const before = network.accepted;
    await delay(CUT_MS);
    const attempts = network.accepted - before;
    network.heal();
    // Three at a time, each for three quarters of the wait for a connection.
    expect(attempts).toBeLessThanOrEqual(1 + (3 * CUT_MS) / (0.75 * limits.connectTimeoutMs));
    const pool = (dataSource.driver as unknown as { readonly master: { readonly totalCount: number } }).master;
    await eventually('all connections', () => pool.totalCount === limits.poolSize);
    over = true;
    await Promise.all(load);
  });
});

describe('a network that swallows connections', () => {
  it('a network that swallows connections is tried again while those that it has swallowed just before it heals still wait', async () => {
    const patient = await new DataSource({
      ...servingOptions(targetOf(network), { ...limits, connectTimeoutMs: 2_000 }),
      migrations: [],
    }).initialize();
    let over = false;
    let succeededAtMs: number | undefined;
    const load = Array.from({ length: IN_FLIGHT }, async () => {
      while (!over) {
        await patient.query('SELECT autocommit').then(
          () => (succeededAtMs = performance.now()),
          () => undefined,
        );
        await delay(5);
      }
    });
    await eventually('all connections are in use', () => network.accepted > limits.poolSize);
    network.cut('half_open');
    await delay(limits.queryTimeoutMs + 50);
    const before = network.accepted;
    await eventually('an attempt is swallowed', () => network.accepted > before);
    await delay(50);
    network.heal();
    const healedAtMs = performance.now();
    succeededAtMs = undefined;
    const backAtMs = await eventually('an answer', () => succeededAtMs);
    // An attempt takes 1.5 s, and one begins every 0.5 s.
    expect(backAtMs - healedAtMs).toBeLessThan(1_200);
    over = true;
    await Promise.all(load);
    await patient.destroy();
  });
});

describe('a connection that comes back with a transaction', () => {
  it('a connection that comes back with a transaction is not used again', async () => {
    const runner = dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.release();
    await Promise.all(Array.from({ length: limits.poolSize }, read));
    expect(server.misplaced).toEqual([]);
  });
});

describe('a query that takes too long', () => {
  it('costs no connection but its own where others are answered', async () => {
    let over = false;
    const load = Array.from({ length: limits.poolSize - 1 }, async () => {
      while (!over) {
        await read();
        await delay(5);
      }
    });
    await eventually('connections are in use', () => network.accepted >= limits.poolSize - 1);
    const waiting = dataSource.query('LOCK held by somebody');
    await delay(100);
    const { accepted } = network;
    await expect(waiting).rejects.toThrow('Query read timeout');
    await delay(100);
    expect(network.accepted - accepted).toBeLessThanOrEqual(1);
    over = true;
    await Promise.all(load);
  });

  it('fails, and its connection is replaced', async () => {
    network.cut('pause');
    const late = read();
    await expect(late).rejects.toThrow('Query read timeout');
    network.heal();
    expect(await read()).toEqual([expect.objectContaining({ current_database: 'fake' })]);
  });
});
