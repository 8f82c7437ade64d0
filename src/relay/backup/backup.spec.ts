import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { EMPTY_TABLES } from '../../../test/support/db/embedded-database.js';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { SchemaVersions } from '../platform/database/schema-versions.js';
import { createCheckedFile, writeBackupFile } from './backup-file.js';
import { backupTables } from './tables.js';
import { checkBackup, readBackup } from './read-backup.js';
import { RestoreStore } from './restore.store.js';
import { DatabaseSnapshot } from './snapshot.store.js';
import { writeBackup } from './write-backup.js';

jest.setTimeout(120_000);

const facts = { ferryVersion: '1.2.3', createdAt: new Date(0), secret: undefined };

interface OpenDatabase extends StoreDatabase {
  readonly runner: QueryRunner;
}

/** Opened once, because that takes long; every test begins with empty tables in both. */
let source: OpenDatabase;
let target: OpenDatabase;
let folder: string;

async function openDatabase(): Promise<OpenDatabase> {
  const database = await openStoreDatabase([]);
  return { ...database, runner: database.dataSource.createQueryRunner() };
}

async function close(database: OpenDatabase): Promise<void> {
  await database.runner.release();
  await database.close();
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ferry-backup-'));
  source = await openDatabase();
  target = await openDatabase();
}, 240_000);

beforeEach(async () => {
  for (const { runner } of [source, target]) await runner.query(EMPTY_TABLES);
}, 120_000);

afterAll(async () => {
  await close(source);
  await close(target);
  await rm(folder, { recursive: true, force: true });
}, 60_000);

async function backupText({ runner }: OpenDatabase): Promise<string> {
  const snapshot = await DatabaseSnapshot.open(runner);
  let text = '';
  for await (const chunk of writeBackup(snapshot, facts)) text += chunk;
  await snapshot.close();
  return text;
}

const restore = ({ dataSource, runner }: OpenDatabase, text: string, replace = false) =>
  new RestoreStore(dataSource, runner).restore(readBackup(Readable.from([text])), { replace });

/** A valid end for a text that was changed, so that only the database can object. */
function sealed(text: string): string {
  const body = text.slice(0, text.lastIndexOf('{"complete":'));
  const rows = body.split('\n').filter((line) => line.startsWith('{"row":')).length;
  const sha256 = createHash('sha256').update(body).digest('hex');
  return `${body}${JSON.stringify({ complete: { rows, sha256 } })}\n`;
}

/** As a later version could have it. */
class Later9999999999998 implements MigrationInterface {
  name = 'Later9999999999998';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account ADD COLUMN note text');
    await runner.query(`UPDATE account SET note = 'of ' || id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE account DROP COLUMN note');
  }
}

async function fill({ runner }: OpenDatabase, keys = 3): Promise<void> {
  await runner.query(`INSERT INTO account (id, name) VALUES ('acc_1', 'Größe "42"' || E'\\n\\t🚢')`);
  await runner.query(`INSERT INTO cluster (account_id, id, name) VALUES ('acc_1', 'clu_1', 'office')`);
  await runner.query(
    `INSERT INTO api_key (account_id, id, digest, name, last4, scopes, created_at)
     SELECT 'acc_1', 'key_' || n, decode(md5(n::text), 'hex'), 'key ' || n, 'abcd', '{inference,"a,b"}',
            '2026-01-02 03:04:05.678901+00' FROM generate_series(1, $1::int) n`,
    [keys],
  );
  await runner.query(
    `INSERT INTO node (account_id, id, cluster_id, name, public_key, state, epoch, platform, agent_version)
     VALUES ('acc_1', 'nod_1', 'clu_1', 'desk', '\\x00ff', 'active', 9007199254740993, 'linux', '1')`,
  );
  for (const action of ['key.create', 'node.join']) {
    await runner.query(
      `INSERT INTO audit_event (account_id, id, actor_kind, action, object_kind, object_id, detail)
       VALUES ('acc_1', $1, 'user', $1, 'key', 'key_1', '{"n": 9007199254740993, "text": "\\u00e9"}')`,
      [action],
    );
  }
}

describe('a backup', () => {
  it('holds every table of the schema, in an order that foreign keys allow', async () => {
    const { runner } = source;
    const tables = (await runner.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)) as {
      tablename: string;
    }[];
    expect([...backupTables].sort()).toEqual(
      tables
        .map(({ tablename }) => tablename)
        .filter((name) => name !== 'migration')
        .sort(),
    );
    const references = (await runner.query(
      `SELECT a.relname AS "from", b.relname AS "to" FROM pg_constraint c
       JOIN pg_class a ON a.oid = conrelid JOIN pg_class b ON b.oid = confrelid WHERE contype = 'f'`,
    )) as { from: string; to: string }[];
    const early = references.filter(({ from, to }) => backupTables.indexOf(from) < backupTables.indexOf(to));
    expect(early).toEqual([]);
  });

  it('restores every value as it was', async () => {
    await fill(source, 2_500);
    const text = await backupText(source);
    const counts = await restore(target, text);
    expect(counts).toMatchObject({ account: 1, api_key: 2_500, audit_event: 2, node: 1, session: 0 });
    expect(await backupText(target)).toBe(text);
    const [node] = (await target.runner.query('SELECT epoch::text, public_key FROM node')) as [object];
    expect(node).toEqual({ epoch: '9007199254740993', public_key: Buffer.from([0, 255]) });
  });

  it('lets numbered rows continue after the restored ones', async () => {
    await fill(source);
    await restore(target, await backupText(source));
    await target.runner.query(
      `INSERT INTO audit_event (account_id, id, actor_kind, action, object_kind, object_id, detail)
       VALUES ('acc_1', 'new', 'user', 'key.create', 'key', 'key_1', '{}')`,
    );
    const rows = (await target.runner.query('SELECT position::int FROM audit_event ORDER BY position')) as {
      position: number;
    }[];
    expect(rows.map(({ position }) => position)).toEqual([1, 2, 3]);
  });

  it('a backup is of one moment, whatever is written meanwhile', async () => {
    // One session cannot write during its own transaction: that the transaction reads a snapshot is what can be asked for here.
    const { runner } = source;
    const snapshot = await DatabaseSnapshot.open(runner);
    expect(await runner.query('SHOW transaction_isolation')).toEqual([{ transaction_isolation: 'repeatable read' }]);
    await expect(runner.query(`INSERT INTO account (id, name) VALUES ('a', 'b')`)).rejects.toThrow('read-only');
    await snapshot.close();
  });
});

describe('a restore', () => {
  it('refuses a database that holds an account, unless it may replace it', async () => {
    await fill(source);
    const text = await backupText(source);
    await fill(target, 1);
    await expect(restore(target, text)).rejects.toThrow('the database is not empty: it has an account');
    await restore(target, text, true);
    expect(await backupText(target)).toBe(text);
  });

  it('keeps what was there when it fails in the middle', async () => {
    await fill(target);
    const before = await backupText(target);
    const duplicate = /^\{"row":\{"account_id":"acc_1","id":"key_1".*$/m.exec(before)?.[0] ?? '';
    const broken = sealed(before.replace(duplicate, `${duplicate}\n${duplicate}`).replace('"rows":3', '"rows":4'));
    await expect(restore(target, broken, true)).rejects.toThrow('api_key_pk');
    expect(await backupText(target)).toBe(before);
  });

  it('brings an older schema up to date, with its rows', async () => {
    await fill(source);
    const text = await backupText(source);
    const versions = new SchemaVersions(target.dataSource, target.runner);
    const later = target.dataSource.migrations;
    later.push(new Later9999999999998());
    try {
      await restore(target, text);
      expect(await versions.applied()).toEqual(versions.known);
      expect(await target.runner.query('SELECT id, note FROM account')).toEqual([{ id: 'acc_1', note: 'of acc_1' }]);
      await versions.removeAll();
    } finally {
      later.pop();
      await versions.apply(versions.known);
    }
  });

  it('refuses the schema of a newer version and of one before 0.1.0, and tables that the schema does not have', async () => {
    await fill(source);
    const text = await backupText(source);
    const newer = sealed(text.replace('"migrations":[', '"migrations":["Future9999999999999",'));
    await expect(restore(target, newer)).rejects.toThrow('newer Ferry');
    const early = sealed(text.replace(/"migrations":\[[^\]]*\]/, '"migrations":["Accounts1763600000000"]'));
    await expect(restore(target, early)).rejects.toThrow(
      'the backup was made before Ferry 0.1.0: restore it with the version that made it',
    );
    const foreign = sealed(text.replace('{"table":"account"', '{"table":"pg_authid"'));
    await expect(restore(target, foreign)).rejects.toThrow('does not fit its schema');
    const columns = sealed(text.replace('"columns":["id","name"', '"columns":["id","name) SELECT 1 --"'));
    await expect(restore(target, columns)).rejects.toThrow('does not fit its schema');
  });
});

describe('a backup file', () => {
  it('a backup file is private, and complete or not there', async () => {
    await fill(source);
    const text = await backupText(source);
    const file = path.join(folder, 'whole.backup');
    const { counts, header } = await createCheckedFile(
      file,
      (name) => writeBackupFile(name, Readable.from([text])),
      checkBackup,
    );
    expect(counts).toMatchObject({ account: 1, api_key: 3 });
    expect(header).toMatchObject({ ferry_version: '1.2.3', created_at: '1970-01-01T00:00:00.000Z' });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(gunzipSync(await readFile(file)).toString()).toBe(text);
    const again = createCheckedFile(file, (name) => writeBackupFile(name, Readable.from([text])), checkBackup);
    await expect(again).rejects.toThrow('exists already');
    const cut = path.join(folder, 'cut.backup');
    const half = createCheckedFile(
      cut,
      (name) => writeBackupFile(name, Readable.from([text.slice(0, -400)])),
      checkBackup,
    );
    await expect(half).rejects.toThrow('not complete');
    await expect(stat(cut)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['a flipped letter', (text: string) => gzipSync(text.replace('office', 'oFfice')), 'checksum'],
    ['a missing row', (text: string) => gzipSync(text.replace(/^\{"row".*\n/m, '')), 'rows of account miss'],
    ['a missing end', (text: string) => gzipSync(text).subarray(0, -40), 'damaged'],
    ['more after its end', (text: string) => gzipSync(`${text}{}\n`), 'goes on'],
    ['another program’s file', () => gzipSync('{"format":"zip"}\n'), 'not a backup of Ferry'],
    ['no compression', (text: string) => Buffer.from(text), 'damaged'],
    [
      'a newer format',
      (text: string) => gzipSync(text.replace('"version":1', '"version":2')),
      'written by a newer Ferry (1.2.3)',
    ],
  ])('a backup file with %s is refused', async (_name, damage, message) => {
    await fill(source);
    const file = path.join(folder, 'damaged.backup');
    await writeFile(file, damage(await backupText(source)));
    await expect(checkBackup(file)).rejects.toThrow(message);
  });
});
