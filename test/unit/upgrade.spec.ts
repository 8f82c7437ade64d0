/** A relay on the data directory of the first schema: it migrates, and everything in it goes on. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { withDatabase, type DatabaseSession } from '../../src/relay/backup/database-session.store.js';
import { backupTables } from '../../src/relay/backup/tables.js';
import { startRelay, type RunningRelay } from '../../src/relay/app/main.js';
import { loadRelaySettings, relayDirectory } from '../../src/relay/platform/config/resolve-relay-config.js';
import { SchemaVersions } from '../../src/relay/platform/database/schema-versions.js';
import { layEmbeddedDatabase } from '../support/db/embedded-database.js';

// The embedded database is opened four times, each of which takes seconds on a busy machine.
jest.setTimeout(120_000);

const rows = path.resolve(import.meta.dirname, '../fixtures/first-schema/rows.sql');
/** The schema of 0.1.0. */
const FIRST_SCHEMA = 'FirstVersion1764201600000';

const office = {
  token: 'ferry-cli-qV4chtWOwMYYvxHUEjS8uLbsNp9M8EV3fQNcZr6jmAfExHjI7wly5JL1nltae',
  key: 'sk-ferry-qV4chtWOwMYYvxHUEjS8uLbsNp9M8EV3fQNcZr6jmAfExHjI7wly5JL1XIetU',
  limitedKey: 'sk-ferry-1ZuEBCytDpXDd7Fyg0XFFdXsGQQh2OY10EoWsQ9ZLCmalrBdKkQWBdk46mOnt',
  revokedKey: 'sk-ferry-c5NuRzTRjzbOhjNSr0XDEgL53WfJwdAym4mo9wtuIjvDBYqI1R6AeWW4bY7ej',
  expiredKey: 'sk-ferry-2wlgPDeQcWY3BBV1LvxyOYz36MZGpBW5wHqZNOBEPaAxvF2A7HN1kff025OcZ',
  session: 'ferry-ses-CKkBYtaJjURLYQWGlPmnibquq0GCRIbVRq1YGZ8kItdnbX1GhLYqea03fxnQb',
  invite: 'ferry-inv-qV4chtWOwMYYvxHUEjS8uLbsNp9M8EV3fQNcZr6jmAfExHjI7wly5JL074jzT',
};
const workshop = {
  token: 'ferry-cli-3kFpTggJ4hLe28avxhEdz8EID9jLRGDdtR9rCYdBKUpw5bGLBantOxM4W1wwW',
  key: 'sk-ferry-3kFpTggJ4hLe28avxhEdz8EID9jLRGDdtR9rCYdBKUpw5bGLBantOxM3eDGaO',
};

type Row = Readonly<Record<string, unknown>>;
type Contents = Readonly<Record<string, readonly Row[]>>;

/** What a relay writes by itself as soon as it runs and is used. */
const LIVE = new Set(['last_used_at', 'last_seen_at', 'last_sign_in_at']);

let directory: string;
let relay: RunningRelay;
let before: Contents;

const env = (): Record<string, string> => ({
  FERRY_DATA_DIR: directory,
  FERRY_PORT: '0',
  FERRY_LOG_LEVEL: 'silent',
  FERRY_DRAIN_NOTICE_MS: '0',
  // The rows of the fixture get older with every day.
  FERRY_REQUEST_LOG_RETENTION_DAYS: '36500',
  FERRY_USAGE_RETENTION_DAYS: '36500',
  FERRY_AUDIT_RETENTION_DAYS: '36500',
});

const inDatabase = <Result>(use: (session: DatabaseSession) => Promise<Result>): Promise<Result> =>
  withDatabase(loadRelaySettings(env()).values, relayDirectory(env()), use);

/** All rows, with every value as text. */
async function contents({ runner }: DatabaseSession): Promise<Contents> {
  const tables: Record<string, readonly Row[]> = {};
  for (const table of backupTables) {
    const found = (await runner.query(`SELECT to_regclass($1) IS NOT NULL AS found`, [`"${table}"`])) as Row[];
    if (found[0]?.['found'] !== true) continue;
    const all = (await runner.query(
      `SELECT (SELECT json_object_agg(name, value) FROM jsonb_each_text(to_jsonb(t)) AS pair (name, value)) AS row FROM "${table}" t`,
    )) as { row: Row }[];
    tables[table] = all.map(({ row }) => Object.fromEntries(Object.entries(row).filter(([name]) => !LIVE.has(name))));
  }
  return tables;
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-upgrade-'));
  await layEmbeddedDatabase(directory);
  before = await inDatabase(async (session) => {
    const versions = new SchemaVersions(session.dataSource, session.runner);
    await versions.removeAll();
    await versions.apply(versions.known.slice(0, versions.known.indexOf(FIRST_SCHEMA) + 1));
    await session.runner.query(await readFile(rows, 'utf8'));
    return contents(session);
  });
  relay = await startRelay({ env: env(), flags: { host: '127.0.0.1' } });
}, 120_000);

afterAll(async () => {
  await relay.close();
  await rm(directory, { recursive: true, force: true });
});

async function get(route: string, headers: Record<string, string>): Promise<{ status: number; body: unknown }> {
  const response = await fetch(relay.baseUrl + route, { headers });
  return { status: response.status, body: await response.json() };
}

const bearer = (credential: string): Record<string, string> => ({ authorization: `Bearer ${credential}` });

const listed = async (route: string, token: string): Promise<readonly Row[]> => {
  const { status, body } = await get(`/api/${route}`, bearer(token));
  expect({ route, status }).toEqual({ route, status: 200 });
  return (body as { data: readonly Row[] }).data;
};
const column = async (route: string, token: string, name: string): Promise<unknown[]> =>
  (await listed(route, token)).map((row) => row[name]).sort();

describe('a relay on the data of the first schema', () => {
  it('a relay on the data of the first schema had rows in every table of it', () => {
    const empty = Object.entries(before).filter(([, found]) => found.length === 0);
    expect(empty).toEqual([]);
    expect(Object.keys(before)).toHaveLength(24);
  });

  it('accepts every key that was valid, and no other', async () => {
    const status = async (key: string): Promise<number> => (await get('/v1/models', bearer(key))).status;
    expect(await Promise.all([office.key, office.limitedKey, workshop.key].map(status))).toEqual([200, 200, 200]);
    expect(await Promise.all([office.revokedKey, office.expiredKey].map(status))).toEqual([401, 401]);
  });

  it('shows each account its keys, clusters, nodes, people and operations', async () => {
    const shown = async (token: string): Promise<Record<string, unknown[]>> => ({
      keys: await column('keys', token, 'name'),
      clusters: await column('clusters', token, 'name'),
      nodes: await column('nodes', token, 'name'),
      users: await column('users', token, 'email'),
      invites: await column('invites', token, 'role'),
      operations: await column('operations', token, 'state'),
      audit: await column('audit', token, 'action'),
      requests: await column('usage/requests', token, 'outcome'),
    });
    expect(await shown(office.token)).toEqual({
      keys: ['expired', 'lab', 'office'],
      clusters: ['default', 'lab'],
      nodes: ['desk', 'rack'],
      users: ['ada@office.test', 'bob@office.test'],
      invites: ['member'],
      operations: ['failed', 'succeeded'],
      audit: ['key.create', 'key.revoke'],
      requests: ['completed', 'completed', 'failed', 'rejected'],
    });
    expect(await shown(workshop.token)).toEqual({
      keys: ['workshop'],
      clusters: ['default'],
      nodes: ['bench'],
      users: ['eve@workshop.test'],
      invites: [],
      operations: ['running'],
      audit: ['key.create'],
      requests: ['completed', 'completed'],
    });
  });

  it('a relay on the data of the first schema has the limits of keys, the state of nodes and the failures of operations as they were', async () => {
    const keys = await listed('keys', office.token);
    expect(keys.find(({ name }) => name === 'lab')).toMatchObject({
      limits: { requests_per_minute: 60, tokens_per_minute: 10_000, concurrency: 2 },
      cluster_ids: ['cl_d3eb0a6bbbb66ea6d8723965bd3c9cdc'],
      description: null,
    });
    const nodes = await listed('nodes', office.token);
    expect(nodes.find(({ name }) => name === 'rack')).toMatchObject({ status: 'active', paused: true, online: false });
    const operations = await listed('operations', office.token);
    expect(operations.find(({ state }) => state === 'failed')).toMatchObject({
      failure: { code: 'out_of_memory', message: '48 GB are needed' },
      load: false,
    });
  });

  it.each([
    ['office', office.token, { requests: 9, failed: 1, rejected: 1, input_tokens: 5_000_003_003, output_tokens: 610 }],
    ['workshop', workshop.token, { requests: 2, failed: 0, rejected: 0, input_tokens: 2_001, output_tokens: 401 }],
  ])('sums up the usage of the %s as before', async (_name, token, sums) => {
    const { body } = await get('/api/usage?since=2025-11-01T00:00:00Z&until=2025-12-01T00:00:00Z', bearer(token));
    expect((body as { totals: object }).totals).toMatchObject(sums);
  });

  it('accepts the password and the open session of a person, and an open invite', async () => {
    const post = (route: string, body: object): Promise<Response> =>
      fetch(`${relay.baseUrl}/api/${route}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: relay.baseUrl },
        body: JSON.stringify(body),
      });
    const signedIn = await post('sign-in', { email: 'ada@office.test', password: 'a first password' });
    expect(signedIn.status).toBe(200);
    const [name = ''] = (signedIn.headers.get('set-cookie') ?? '').split('=');
    const { body } = await get('/api/whoami', { cookie: `${name}=${office.session}` });
    expect(body).toMatchObject({ user: { email: 'ada@office.test', role: 'owner' } });
    expect((await post('invites/show', { token: office.invite })).status).toBe(200);
  });

  it('a relay on the data of the first schema has every row of before, with every value', async () => {
    await relay.close();
    const after = await inDatabase(contents);
    for (const [table, kept] of Object.entries(before)) {
      const now = after[table] ?? [];
      const missing = kept.filter((row) => !now.some((other) => contains(other, row)));
      expect({ table, missing }).toEqual({ table, missing: [] });
    }
    expect(await inDatabase(pending)).toEqual([]);
  });
});

/** The row may have more columns by now. */
const contains = (now: Row, old: Row): boolean =>
  Object.entries(old).every(([column, value]) => column in now && now[column] === value);

async function pending({ dataSource, runner }: DatabaseSession): Promise<readonly string[]> {
  const versions = new SchemaVersions(dataSource, runner);
  const applied = await versions.applied();
  return versions.known.filter((name) => !applied.includes(name));
}
