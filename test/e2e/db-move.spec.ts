// Own relay: its database is moved, and it restarts.
/** From the embedded database to Postgres with the command line, as an operator does it: the relay goes on, with its key and its node. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { freshDatabase, type TestDatabase } from '../support/db/fresh-database.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { TestNode } from '../support/process/test-node.js';
import { TestRelay } from '../support/process/test-relay.js';

const FOREIGN_SECRET = 'a secret of another relay, long enough';

let engine: FakeEngine;
let postgres: TestDatabase;
let relay: TestRelay;
let node: TestNode;
/** Read at every start of the relay: filled once the data is in Postgres. */
const relayEnv: Record<string, string> = {};
let url: string;
let secret: string;
let key: string;

const move = (env: Readonly<Record<string, string>>, ...flags: string[]): Promise<CommandResult> =>
  ferry(['db', 'move', ...flags], { ...relay.commandEnv, ...env });

const chat = async (): Promise<number> => {
  const body = { model: 'fake', messages: [{ role: 'user', content: 'hello' }] };
  const response = await relay.chat(body, { headers: { authorization: `Bearer ${key}` } });
  await response.text();
  return response.status;
};

const keyNames = async (): Promise<string[]> => {
  const { data } = await relay.manage<{ data: { name: string }[] }>('GET', '/keys');
  return data.map(({ name }) => name).sort();
};

async function inPostgres(query: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(query)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  const nowhere = await mkdtemp(path.join(tmpdir(), 'ferry-move-'));
  postgres = await freshDatabase(nowhere);
  await rm(nowhere, { recursive: true });
  url = postgres.env['DATABASE_URL'] ?? '';
  if (url === '') throw new Error('this spec needs DATABASE_URL');
  engine = await FakeEngine.start();
  relay = await TestRelay.start({ database: 'embedded', env: relayEnv });
  node = await TestNode.start(relay, {
    engines: [{ kind: 'openai-compatible', name: 'fake', base_url: engine.url, slots: 2, poll_ms: 200 }],
  });
  ({ key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'before the move' }));
  secret = (await readFile(path.join(relay.dataDirectory, 'relay/secret'), 'utf8')).trim();
}, 120_000);

afterAll(async () => {
  await node.stop();
  await relay.stop();
  await engine.stop();
  await postgres.drop();
}, 60_000);

describe('ferry db move', () => {
  it('refuses while the relay runs, without a target, and with the secret of another relay', async () => {
    expect(await chat()).toBe(200);
    const target = { DATABASE_URL: url, FERRY_SECRET: secret };
    expect(await move(target)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is in use by another process'),
    });
    await relay.process.stop();
    expect(await move({})).toMatchObject({ code: 1, stderr: expect.stringContaining('set DATABASE_URL') });
    expect(await move({ ...target, FERRY_SECRET: FOREIGN_SECRET })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('FERRY_SECRET is not the secret of this relay'),
    });
    expect(await move({ DATABASE_URL: url })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: FERRY_SECRET is not set.*\n {2}try: FERRY_SECRET="\$\(cat \S+\/relay\/secret\)" ferry db move\n$/,
      ),
    });
    expect(await inPostgres(`SELECT to_regclass('account') AS account`)).toEqual([{ account: null }]);
  }, 90_000);

  it('copies everything, and then a second time only with --replace', async () => {
    const target = { DATABASE_URL: url, FERRY_SECRET: secret };
    const moved = await move(target, '--json');
    expect(moved).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(moved.stdout)).toMatchObject({
      object: 'database_move',
      data_dir: path.join(relay.dataDirectory, 'relay'),
      rows: { account: 1, node: 1 },
    });
    expect(await inPostgres(`SELECT name FROM api_key WHERE name = 'before the move'`)).toHaveLength(1);
    expect(await move(target)).toMatchObject({ code: 1, stderr: expect.stringContaining('not empty') });
    const again = await move(target, '--replace', '--yes');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Moved: 1 account, 0 users, /) });
  }, 90_000);

  it('ends with a relay on Postgres that serves the same key through the same node', async () => {
    const before = await keyNamesInPostgres();
    Object.assign(relayEnv, { DATABASE_URL: url, FERRY_SECRET: secret });
    await relay.restart();
    expect((await relay.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
    expect(await keyNames()).toEqual(before);
    // Started again, because the next attempt of one that runs may be a minute away.
    await node.process.stop();
    await node.run();
    expect(await chat()).toBe(200);
    await relay.manage('POST', '/keys', { name: 'after the move' });
    expect(await inPostgres(`SELECT name FROM api_key WHERE name = 'after the move'`)).toHaveLength(1);
  }, 120_000);

  it('ferry db move does not touch a Postgres that a relay uses', async () => {
    const target = { DATABASE_URL: url, FERRY_SECRET: secret };
    const refused = await move(target, '--replace', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/in use by another process|another relay uses the database/);
    expect(await keyNames()).toContain('after the move');
  }, 30_000);
});

/** Active ones, as the relay lists them. */
const keyNamesInPostgres = async (): Promise<string[]> => {
  const rows = (await inPostgres('SELECT name FROM api_key WHERE revoked_at IS NULL ORDER BY name')) as {
    name: string;
  }[];
  return rows.map(({ name }) => name).sort();
};
