import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryRunner } from 'typeorm';
import { openStoreDatabase, type StoreDatabase } from '../../../../test/support/db/store-database.js';
import { copyRows, copyText, type CopyValue } from './copy-rows.js';

const columns = ['id', 'note', 'used'] as const;

let database: StoreDatabase;
let runner: QueryRunner;

beforeAll(async () => {
  database = await openStoreDatabase([]);
  runner = database.dataSource.createQueryRunner();
  await runner.query('CREATE TABLE copied (id integer PRIMARY KEY, note text, used boolean NOT NULL)');
}, 120_000);

afterAll(async () => {
  await runner.release();
  await database.close();
});

beforeEach(async () => {
  await runner.query('TRUNCATE copied');
});

const copy = (...rows: CopyValue[][]): Promise<void> =>
  copyRows(runner, 'copied', columns, Buffer.from(rows.map((row) => `${copyText(row)}\n`).join('')));
const stored = (): Promise<unknown> => runner.query('SELECT id, note, used FROM copied ORDER BY id');

describe('copying rows', () => {
  it('stores every text as it is', async () => {
    const texts = ['', 'ü 🙂', 'a\tb', 'a\nb\r\nc', String.raw`\N`, String.raw`a\tb\\`, '\\.', null];
    await copy(...texts.map((note, id) => [id, note, id % 2 === 0]));
    expect(await stored()).toEqual(texts.map((note, id) => ({ id, note, used: id % 2 === 0 })));
  });

  it('takes more than a message of the worker usually has', async () => {
    const note = 'x'.repeat(1_000);
    await copy(...Array.from({ length: 5_000 }, (_, id) => [id, note, true]));
    expect(await runner.query('SELECT count(*)::int AS rows, sum(length(note))::int AS size FROM copied')).toEqual([
      { rows: 5_000, size: 5_000_000 },
    ]);
  });

  it('stores none when the table refuses one, and leaves the connection usable', async () => {
    await expect(copy([1, 'a', true], [2, 'b', null], [3, 'c', true])).rejects.toMatchObject({ code: '23502' });
    expect(await stored()).toEqual([]);
    await expect(copy([1, 'a', true], [1, 'b', true])).rejects.toMatchObject({ code: '23505' });
    await copy([1, 'a', true]);
    expect(await stored()).toEqual([{ id: 1, note: 'a', used: true }]);
  });

  it('fails when the statement is refused, and leaves the connection usable', async () => {
    await expect(
      copyRows(runner, 'missing', columns, Buffer.from(`${copyText([1, 'a', true])}\n`)),
    ).rejects.toMatchObject({
      code: '42P01',
    });
    await copy([1, 'a', true]);
    expect(await stored()).toHaveLength(1);
  });

  it('belongs to the transaction of its connection', async () => {
    await runner.startTransaction();
    await copy([1, 'a', true]);
    await runner.rollbackTransaction();
    expect(await stored()).toEqual([]);
  });
});
