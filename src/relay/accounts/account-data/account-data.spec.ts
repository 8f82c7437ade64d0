/** Export and deletion of one account, on all tables of the migrated schema, beside another account whose rows stay. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { insertAccountRows, SECRET } from '../../../../test/support/db/account-rows.js';
import { EMPTY_TABLES } from '../../../../test/support/db/embedded-database.js';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { checkRecords, readBackup } from '../../backup/read-backup.js';
import { accountTables } from '../../backup/tables.js';
import { DatabaseSnapshot } from '../../backup/snapshot.store.js';
import { writeBackup, writeTables } from '../../backup/write-backup.js';
import { SchemaVersions } from '../../platform/database/schema-versions.js';
import { chooseAccount } from './account-choice.js';
import { AccountSource, readExport, type ExportHeader } from './export-account.js';
import { deleteFrom, type AccountToDelete } from './delete-account.js';
import { readAccounts } from './list-accounts.js';

jest.setTimeout(120_000);

let database: StoreDatabase & { readonly runner: QueryRunner };
let leaving: string;
let staying: string;

beforeAll(async () => {
  const opened = await openStoreDatabase([]);
  database = { ...opened, runner: opened.dataSource.createQueryRunner() };
}, 240_000);

beforeEach(async () => {
  await database.runner.query(EMPTY_TABLES);
  staying = await insertAccountRows(database.runner, 'b1');
  leaving = await insertAccountRows(database.runner, 'a1');
  // Of nobody.
  await database.runner.query(`INSERT INTO used_nonce (hash) VALUES ('\\x01')`);
  await database.runner.query(
    `INSERT INTO device_code (hash, user_code, public_key, node_name, platform, agent_version, ip, expires_at)
     VALUES ('\\x02', 'code', '\\x0a', 'asks', 'linux', '1', '192.0.2.9', now())`,
  );
}, 120_000);

afterAll(async () => {
  await database.runner.release();
  await database.close();
}, 60_000);

const query = async <Row>(text: string): Promise<readonly Row[]> => (await database.runner.query(text)) as Row[];

async function backupText(): Promise<string> {
  const snapshot = await DatabaseSnapshot.open(database.runner);
  let text = '';
  const facts = { ferryVersion: '1', createdAt: new Date(0), secret: undefined };
  for await (const chunk of writeBackup(snapshot, facts)) text += chunk;
  await snapshot.close();
  return text;
}

/** By table. */
function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  let table: string[] = [];
  for (const line of text.split('\n')) {
    const { table: name } = line === '' ? {} : (JSON.parse(line) as { table?: string });
    if (name !== undefined) rows.set(name, (table = []));
    else if (line.startsWith('{"row":')) table.push(line);
  }
  return rows;
}

async function exportText(accountId: string): Promise<string> {
  const snapshot = await DatabaseSnapshot.open(database.runner);
  const header: ExportHeader = {
    format: 'ferry-account-export',
    version: 1,
    ferry_version: '1',
    created_at: '',
    account: await chooseAccount(database.runner, accountId),
  };
  let text = '';
  for await (const chunk of writeTables(new AccountSource(snapshot, accountId), header)) text += chunk;
  await snapshot.close();
  return text;
}

const accept = (): Promise<void> => Promise.resolve();

describe('the tables of an account', () => {
  it('the tables of an account include every table that names an account', async () => {
    const found = await query<{ name: string }>(
      `SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'account_id'`,
    );
    const owned = accountTables.filter(({ owner }) => owner === 'account_id').map(({ name }) => name);
    expect(owned.sort()).toEqual(found.map(({ name }) => name).sort());
  });

  it('the tables of an account are decided for every column', async () => {
    for (const { name, exported, withheld } of accountTables) {
      const columns = await query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '${name}'`,
      );
      expect([name, [...exported, ...withheld].sort()]).toEqual([name, columns.map((column) => column.name).sort()]);
    }
  });

  it('the tables of an account show no bytes but public keys', async () => {
    const bytes = await query<{ table: string; column: string }>(
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'bytea'`,
    );
    const shown = bytes.filter(({ table, column }) =>
      accountTables.some(({ name, exported }) => name === table && exported.includes(column)),
    );
    expect(shown.map(({ table, column }) => `${table}.${column}`).sort()).toEqual([
      'device_code.public_key',
      'node.public_key',
    ]);
  });
});

describe('the list of accounts', () => {
  it('says who owns each and how much it has', async () => {
    await query(`UPDATE account SET created_at = now() - interval '1 day' WHERE id = '${staying}'`);
    await query(`UPDATE api_key SET revoked_at = now() WHERE account_id = '${staying}'`);
    const [first, second] = await readAccounts(database.runner);
    expect(first).toEqual({
      id: staying,
      name: 'name b1',
      createdAt: expect.any(Date),
      owners: ['b1@example.com'],
      users: 1,
      nodes: 1,
      keys: 0,
      lastRequestAt: new Date('2026-01-02T03:04:05Z'),
    });
    expect(second).toMatchObject({ id: leaving, keys: 1 });
  });

  it('the list of accounts is empty where no relay has started yet', async () => {
    const versions = new SchemaVersions(database.dataSource, database.runner);
    await versions.removeAll();
    try {
      expect(await readAccounts(database.runner)).toEqual([]);
      await expect(chooseAccount(database.runner, 'x')).rejects.toThrow('no account has the id or name x');
    } finally {
      await versions.apply(versions.known);
    }
  });
});

describe('the choice of an account', () => {
  it('takes an id, or a name that only one has', async () => {
    expect(await chooseAccount(database.runner, leaving)).toEqual({ id: leaving, name: 'name a1' });
    expect(await chooseAccount(database.runner, 'name a1')).toEqual({ id: leaving, name: 'name a1' });
    await query(`UPDATE account SET name = 'name a1'`);
    await expect(chooseAccount(database.runner, 'name a1')).rejects.toThrow(/2 accounts have the name name a1: acc_/);
  });

  it('the choice of an account is not misled by an account that is named like the id of another one', async () => {
    await query(`UPDATE account SET name = '${leaving}' WHERE id = '${staying}'`);
    expect(await chooseAccount(database.runner, leaving)).toEqual({ id: leaving, name: 'name a1' });
  });
});

describe('the export of an account', () => {
  it('the export of an account has its rows of every table, and nothing of another account', async () => {
    const text = await exportText(leaving);
    const { counts, header } = await checkRecords(readExport(Readable.from([text])));
    expect(header.account).toEqual({ id: leaving, name: 'name a1' });
    expect(counts).toEqual(Object.fromEntries(accountTables.map(({ name }) => [name, 1])));
    expect(text).not.toMatch(/acc_b1|_b1"|b1@example/);
    expect(rowsOf(text).get('user')).toEqual([expect.stringContaining('"email":"a1@example.com"')]);
  });

  it('the export of an account has no digest, no hash and no code', async () => {
    expect(await backupText()).toContain(SECRET);
    expect(await exportText(leaving)).not.toContain(SECRET);
  });

  it('the export of an account is refused by a restore', async () => {
    const records = readBackup(Readable.from([await exportText(leaving)]));
    await expect(records.next()).rejects.toThrow('the export of an account, which cannot be restored');
  });

  it('the export of an account can be taken of an older schema, without a table and a column', async () => {
    await query('DROP TABLE learned_rate');
    await query('ALTER TABLE api_key DROP COLUMN description');
    try {
      const { counts } = await checkRecords(readExport(Readable.from([await exportText(leaving)])));
      const kept = accountTables.filter(({ name }) => name !== 'learned_rate');
      expect(counts).toEqual(Object.fromEntries(kept.map(({ name }) => [name, 1])));
    } finally {
      await query('DROP SCHEMA public CASCADE');
      await query('CREATE SCHEMA public');
      const versions = new SchemaVersions(database.dataSource, database.runner);
      await versions.apply(versions.known);
    }
  });
});

describe('the deletion of an account', () => {
  it('empties every table of it, and leaves every row of another account and of nobody', async () => {
    const before = rowsOf(await backupText());
    for (const { name } of accountTables)
      expect([name, before.get(name)?.join()]).toEqual([name, expect.stringContaining(leaving)]);
    const { counts } = await deleteFrom(database, leaving, accept);
    expect(counts).toEqual(Object.fromEntries(accountTables.map(({ name }) => [name, 1])));
    const after = await backupText();
    expect(after).not.toMatch(/acc_a1|_a1"|a1@example/);
    const kept = [...before].map(([table, rows]) => [table, rows.filter((row) => !row.includes(leaving))]);
    expect([...rowsOf(after)]).toEqual(kept);
  });

  it('changes nothing when it is not confirmed, or fails in the middle', async () => {
    const before = await backupText();
    const refuse = () => Promise.reject(new Error('kept'));
    await expect(deleteFrom(database, leaving, refuse)).rejects.toThrow('kept');
    // A table of another program, which refers to the account: it is the last one to be deleted.
    await query(`CREATE TABLE foreign_table (account_id text REFERENCES account (id))`);
    await query(`INSERT INTO foreign_table VALUES ('${leaving}')`);
    try {
      await expect(deleteFrom(database, leaving, accept)).rejects.toThrow('foreign_table');
    } finally {
      await query('DROP TABLE foreign_table');
    }
    expect(await backupText()).toBe(before);
  });

  it('leaves the audit trail append-only', async () => {
    await deleteFrom(database, leaving, accept);
    await expect(query('DELETE FROM audit_event')).rejects.toThrow('append-only');
  });

  it('says which account becomes the first one of the relay', async () => {
    await query(`UPDATE account SET created_at = now() - interval '1 day' WHERE id = '${leaving}'`);
    const asked: AccountToDelete[] = [];
    const confirm = (account: AccountToDelete) => Promise.resolve(void asked.push(account));
    expect(await deleteFrom(database, 'name a1', confirm)).toMatchObject({ firstAccountId: staying });
    expect(await deleteFrom(database, staying, confirm)).toMatchObject({ firstAccountId: null });
    const [first, last] = asked;
    expect(first).toMatchObject({ id: leaving, successor: { id: staying, name: 'name b1' }, counts: { user: 1 } });
    expect(last).toMatchObject({ id: staying, successor: null });
  });

  it('refuses the schema of a newer version, whose tables it does not know', async () => {
    await query(`INSERT INTO migration (timestamp, name) VALUES (9999999999999, 'Future9999999999999')`);
    try {
      await expect(deleteFrom(database, leaving, accept)).rejects.toThrow('newer Ferry');
    } finally {
      await query(`DELETE FROM migration WHERE name = 'Future9999999999999'`);
    }
    expect(await readAccounts(database.runner)).toHaveLength(2);
  });
});
