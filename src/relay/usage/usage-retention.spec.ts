import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import type { RelayConfig } from '../platform/config/relay-config.js';
import { RequestLogEntity } from './request-log.entity.js';
import { UsageHourEntity } from './usage-hour.entity.js';
import { UsageNameEntity } from './usage-name.entity.js';
import { UsageRetention, UsageRetentionStore } from './usage-retention.store.js';
import { UsageWriterStore } from './usage-writer.store.js';

const accounts = ['acc_a', 'acc_b'] as AccountId[];
const tables = { request_log: RequestLogEntity, usage_hour: UsageHourEntity, usage_name: UsageNameEntity } as const;
type Table = keyof typeof tables;
const HOUR_MS = 3_600_000;

let database: StoreDatabase;
let store: UsageRetentionStore;
let settings: { requestLogRetentionDays: number; usageRetentionDays: number };
let retention: UsageRetention;

const ago = (days: number): string => new Date(Date.now() - days * 24 * HOUR_MS).toISOString();

/** One row in each table for each account, all of this age, named after it. */
async function fill(ages: readonly number[]): Promise<void> {
  const rows = ages.flatMap((days) =>
    accounts.map((account_id) =>
      usageRowOf({
        account_id,
        started_at: ago(days),
        key_id: `key_${days}`,
        node_id: null,
        cluster_id: null,
        model: null,
      }),
    ),
  );
  await new UsageWriterStore(database.repository(RequestLogEntity)).write(rows);
  await database.repository(UsageNameEntity).deleteAll();
  for (const days of ages) {
    for (const accountId of accounts) {
      const name = { accountId, kind: 'key', id: `key_${days}`, name: 'a key', seenAt: ago(days) };
      await database.repository(UsageNameEntity).insert(name);
    }
  }
}

/** The ages that are left, of each account. */
async function left(table: Table): Promise<Record<string, number[]>> {
  const key = table === 'usage_name' ? 'id' : 'key_id';
  const rows = await database.dataSource.query<{ account: string; days: number[] }[]>(
    `SELECT account_id AS account, array_agg(DISTINCT substr(${key}, 5)::float ORDER BY substr(${key}, 5)::float) AS days
     FROM ${table} GROUP BY account_id`,
  );
  return Object.fromEntries(rows.map(({ account, days }) => [account, days]));
}

const both = (...days: number[]): Record<string, number[]> => ({ acc_a: days, acc_b: days });

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, ...Object.values(tables)]);
  store = new UsageRetentionStore(database.repository(RequestLogEntity));
  for (const id of accounts) await database.repository(AccountEntity).insert({ id, name: id });
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  for (const entity of Object.values(tables)) await database.repository(entity).deleteAll();
  settings = { requestLogRetentionDays: 30, usageRetentionDays: 400 };
  retention = new UsageRetention(store, { settings } as unknown as RelayConfig);
});

describe('retention of usage', () => {
  it('removes of every account what is older than its setting, and keeps what is newer', async () => {
    await fill([0, 29.9, 30.1, 399.9, 400.5, 401.1, 500]);
    await retention.prune();
    expect(await left('request_log')).toEqual(both(0, 29.9));
    expect(await left('usage_hour')).toEqual(both(0, 29.9, 30.1, 399.9));
    // Their age is known to a day only.
    expect(await left('usage_name')).toEqual(both(0, 29.9, 30.1, 399.9, 400.5));
  });

  it('keeps the names of the request log when that is kept longer', async () => {
    await fill([0, 15, 25]);
    settings.usageRetentionDays = 10;
    await retention.prune();
    expect(await left('request_log')).toEqual(both(0, 15, 25));
    expect(await left('usage_hour')).toEqual(both(0));
    expect(await left('usage_name')).toEqual(both(0, 15, 25));
  });

  it('follows a changed setting', async () => {
    await fill([0, 5, 15]);
    await retention.prune();
    expect(await left('request_log')).toEqual(both(0, 5, 15));
    settings.requestLogRetentionDays = 10;
    await retention.prune();
    expect(await left('request_log')).toEqual(both(0, 5));
    expect(await left('usage_hour')).toEqual(both(0, 5, 15));
  });

  it.each(Object.keys(tables) as Table[])(
    'removes no more rows of %s in a statement than it is told',
    async (table) => {
      await fill([0, 50, 60, 70]);
      expect(await store.prune(table, 30, 4)).toBe(4);
      expect(await database.repository(tables[table]).count()).toBe(4);
      expect(await store.prune(table, 30, 4)).toBe(2);
      expect(await store.prune(table, 30, 4)).toBe(0);
      expect(await left(table)).toEqual(both(0));
    },
  );
});
