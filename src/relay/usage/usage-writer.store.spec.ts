import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EntityManager } from 'typeorm';
import { openStoreDatabase, type StoreDatabase } from '../../../test/support/db/store-database.js';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import { systemClock } from '../../kernel/clock.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { RequestLogEntity } from './request-log.entity.js';
import { UsageHourEntity } from './usage-hour.entity.js';
import { UsageNameEntity } from './usage-name.entity.js';
import { UsageTotalsStore } from './usage-totals.store.js';
import { UsageWriterStore } from './usage-writer.store.js';

const account_id = 'acc_a' as AccountId;

let database: StoreDatabase;
let store: UsageWriterStore;
let totals: UsageTotalsStore;

beforeAll(async () => {
  database = await openStoreDatabase([AccountEntity, RequestLogEntity, UsageHourEntity, UsageNameEntity]);
  store = new UsageWriterStore(database.repository(RequestLogEntity));
  totals = new UsageTotalsStore(database.repository(UsageHourEntity));
  await database.repository(AccountEntity).insert({ id: account_id, name: 'a' });
}, 120_000);

afterAll(async () => {
  await database.close();
});

beforeEach(async () => {
  for (const entity of [RequestLogEntity, UsageHourEntity, UsageNameEntity])
    await database.repository(entity).deleteAll();
});

afterEach(() => {
  jest.restoreAllMocks();
});

const everything = {
  accountId: account_id,
  by: 'model',
  since: new Date('2020-01-01T00:00:00Z'),
  until: new Date('2030-01-01T00:00:00Z'),
  clusterId: null,
  limit: 100,
} as const;

const logged = (): Promise<number> => database.repository(RequestLogEntity).count();

describe('writing finished requests', () => {
  it('logs each request and adds it to its hour', async () => {
    await store.write([usageRowOf({ account_id }), usageRowOf({ account_id })]);
    await store.write([usageRowOf({ account_id, outcome: 'cancelled', source: 'estimated' })]);
    expect(await logged()).toBe(3);
    expect(await database.repository(UsageHourEntity).find()).toMatchObject([
      {
        hour: new Date('2026-01-01T00:00:00Z'),
        model: 'mdl_0123456789abcdef',
        requests: '3',
        completed: '2',
        cancelled: '1',
        inputTokens: '30',
        cachedTokens: '12',
        outputTokens: '15',
        reasoningTokens: '3',
        estimatedRequests: '1',
      },
    ]);
  });

  it('copies rows of which none is in the log yet', async () => {
    const query = jest.spyOn(EntityManager.prototype, 'query');
    const row = usageRowOf({ account_id });
    await store.write([row]);
    const checked = (): boolean => query.mock.calls.some(([sql]) => sql.includes('request_log_pk'));
    expect(checked()).toBe(false);
    await store.write([row]);
    expect(checked()).toBe(true);
    expect(await logged()).toBe(1);
  });

  it('counts a request once, also when its batch comes again with others', async () => {
    const rows = [usageRowOf({ account_id }), usageRowOf({ account_id })];
    await store.write(rows);
    await store.write([...rows, usageRowOf({ account_id })]);
    expect(await logged()).toBe(3);
    expect((await totals.totals(everything)).totals).toMatchObject({ requests: 3, inputTokens: 30 });
  });

  it('adds the same to the hours, whether or not a batch has rows that were written before', async () => {
    const rows = ['completed', 'failed', 'cancelled', 'timed_out', 'rejected'].flatMap((outcome) => [
      usageRowOf({ account_id, outcome, started_at: '2026-01-01T00:59:59.999Z' }),
      usageRowOf({
        account_id,
        outcome,
        started_at: '2026-01-01T01:00:00.000Z',
        source: 'estimated',
        dialect: 'messages',
      }),
      usageRowOf({ account_id, outcome, node_id: null, cluster_id: null, model: null, model_name: null }),
    ]);
    const hours = () =>
      database.repository(UsageHourEntity).find({ order: { hour: 'ASC', dialect: 'ASC', model: 'ASC' } });
    await store.write(rows);
    const written = await hours();
    expect(written).toHaveLength(3);
    await database.repository(RequestLogEntity).deleteAll();
    await database.repository(UsageHourEntity).deleteAll();
    const [first] = rows;
    await store.write(first === undefined ? [] : [first]);
    await store.write(rows);
    expect(await hours()).toEqual(written);
  });

  it('keeps what is special in the name of a model', async () => {
    const model_name = 'a\tb\nc\\N ü';
    await store.write([usageRowOf({ account_id, model_name })]);
    expect(await database.repository(RequestLogEntity).find()).toMatchObject([{ modelName: model_name }]);
  });

  it('skips requests of a deleted account', async () => {
    await store.write([usageRowOf({ account_id: 'acc_gone' }), usageRowOf({ account_id })]);
    expect(await logged()).toBe(1);
  });

  it('skips only a row that the database rejects', async () => {
    const poison = usageRowOf({ account_id, model_name: 'a\u0000b' });
    await store.write([usageRowOf({ account_id }), poison, usageRowOf({ account_id })]);
    expect(await logged()).toBe(2);
    expect((await totals.totals(everything)).totals.requests).toBe(2);
  });

  it('groups requests without node, cluster and model separately', async () => {
    const unserved = { node_id: null, cluster_id: null, model: null, model_name: null };
    await store.write([usageRowOf({ account_id }), usageRowOf({ account_id, outcome: 'rejected', ...unserved })]);
    const { groups } = await totals.totals({ ...everything, by: 'node' });
    expect(groups.map(({ key, requests, rejected }) => [key, requests, rejected])).toEqual(
      expect.arrayContaining([[null, 1, 1]]),
    );
  });

  it('stores the newest name of a model', async () => {
    const model = `mdl_${'e'.repeat(16)}`;
    for (const model_name of ['old', 'new']) await store.write([usageRowOf({ account_id, model, model_name })]);
    expect(await database.repository(UsageNameEntity).find()).toMatchObject([
      { kind: 'model', id: model, name: 'new' },
    ]);
  });

  it('stores names again only after a while', async () => {
    const row = { account_id, model: `mdl_${'f'.repeat(16)}` };
    await store.write([usageRowOf(row)]);
    await database.repository(UsageNameEntity).deleteAll();
    await store.write([usageRowOf(row)]);
    expect(await database.repository(UsageNameEntity).count()).toBe(0);
    jest.spyOn(systemClock, 'monotonicMs').mockReturnValue(systemClock.monotonicMs() + 60_000);
    await store.write([usageRowOf(row)]);
    expect(await database.repository(UsageNameEntity).count()).toBe(1);
    expect(await logged()).toBe(3);
  });

  it('sums up beyond 32 bits', async () => {
    const rows = Array.from({ length: 5 }, () => usageRowOf({ account_id, input_tokens: 1_000_000_000 }));
    await store.write(rows);
    expect((await totals.totals(everything)).totals.inputTokens).toBe(5_000_000_000);
  });
});

describe('reading the sums', () => {
  it('never reads the log', async () => {
    await store.write([usageRowOf({ account_id })]);
    await database.repository(RequestLogEntity).deleteAll();
    expect((await totals.totals(everything)).totals.requests).toBe(1);
  });

  it('returns the largest groups, whether there are more, and totals over all', async () => {
    const models = ['1', '2', '3'].map((digit) => `mdl_${digit.repeat(16)}`);
    await store.write(models.map((model, index) => usageRowOf({ account_id, model, output_tokens: index })));
    const shown = await totals.totals({ ...everything, limit: 2 });
    expect(shown.groups.map(({ key }) => key)).toEqual([models[2], models[1]]);
    expect([shown.hasMore, shown.totals.requests]).toEqual([true, 3]);
  });

  it('returns zeros without data', async () => {
    expect(await totals.totals(everything)).toMatchObject({ groups: [], hasMore: false, totals: { requests: 0 } });
  });
});
