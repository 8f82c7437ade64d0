import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { startManagementHarness, type ManagementHarness } from '../../../../test/support/relay/management.harness.js';
import { usageRowOf } from '../../../../test/support/db/usage-rows.js';
import { createUserId, type AccountId } from '../../../kernel/ids.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { CliTokensService } from '../../accounts/cli-tokens.service.js';
import { UserEntity } from '../../accounts/users/user.entity.js';
import { UsageModule } from '../usage.module.js';
import { UsageWriterStore } from '../usage-writer.store.js';
import { MOST_SERIES } from './usage-series.js';
import { FEWEST_MEASURED } from './usage-series.store.js';
import type { UsageSeriesRecord } from './series-record.js';

const account = 'acc_mine' as AccountId;
const crowded = 'acc_crowded' as AccountId;
const ada = createUserId();
const tokens: Record<string, string> = {};
let app: ManagementHarness;

beforeAll(async () => {
  const usageModule: DynamicModule = { module: UsageModule };
  app = await startManagementHarness({ imports: [usageModule] });
  const { manager } = app.app.get(DataSource);
  for (const id of [account, crowded]) {
    await manager.insert(AccountEntity, { id, name: id });
    tokens[id] = await app.app.get(CliTokensService, { strict: false }).replace(id, 'test');
  }
  await manager.insert(UserEntity, { accountId: account, id: ada, email: 'ada@test', name: 'Ada', role: 'member' });
  const latencies = [10, 20, 30, 40, 1_000].map((ttft) =>
    usageRowOf({ account_id: account, started_at: '2026-01-03T12:00:00.000Z', ttft_ms: ttft, duration_ms: ttft * 10 }),
  );
  const models = Array.from({ length: MOST_SERIES + 3 }, (_, index) =>
    usageRowOf({
      account_id: crowded,
      model: `mdl_${index.toString(16).padStart(16, '0')}`,
      model_name: `model ${String(index)}`,
      input_tokens: 1_000 - index,
    }),
  );
  await app.app.get(UsageWriterStore, { strict: false }).write([
    usageRowOf({ account_id: account }),
    usageRowOf({ account_id: account, started_at: '2026-01-01T23:30:00.000Z', key_id: ada }),
    usageRowOf({
      account_id: account,
      started_at: '2026-01-03T12:30:00.000Z',
      outcome: 'failed',
      code: 'engine_error',
      ttft_ms: null,
    }),
    ...latencies,
    ...models,
  ]);
}, 120_000);

afterAll(async () => {
  await app.close();
});

const DAYS = 'since=2026-01-01&until=2026-01-04';

const request = (query: string, as: string = account, range = DAYS): Promise<Response> =>
  fetch(`${app.url}/api/usage/series?${range}&${query}`, {
    headers: { authorization: `Bearer ${tokens[as] ?? ''}` },
  });

async function series(query: string, as?: string, range?: string): Promise<UsageSeriesRecord> {
  const response = await request(query, as, range);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as UsageSeriesRecord;
}

describe('GET /api/usage/series', () => {
  it('GET /api/usage/series has a value for every day, zero without requests', async () => {
    const { object, bucket, buckets, groups, others } = await series('');
    expect([object, bucket, others]).toEqual(['usage_series', 'day', null]);
    expect(buckets).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `${day}T00:00:00.000Z`));
    expect(groups).toEqual([
      {
        key: 'mdl_0123456789abcdef',
        name: 'tiny',
        requests: [2, 0, 6],
        input_tokens: [20, 0, 60],
        output_tokens: [10, 0, 30],
        failed: [0, 0, 1],
        rejected: [0, 0, 0],
      },
    ]);
  });

  it('counts a request in the day of the time zone', async () => {
    const { buckets, groups } = await series('time_zone=Europe/Berlin&by=none');
    expect(buckets).toHaveLength(4);
    expect(groups).toMatchObject([{ key: null, name: null, requests: [1, 1, 6, 0] }]);
  });

  it('GET /api/usage/series can have hourly buckets', async () => {
    const { buckets, groups } = await series('bucket=hour');
    expect(buckets).toHaveLength(72);
    expect(groups[0]?.requests.flatMap((count, hour) => (count === 0 ? [] : [[hour, count]]))).toEqual([
      [0, 1],
      [23, 1],
      [60, 6],
    ]);
  });

  it('GET /api/usage/series has percentiles of completed requests, null where there was none', async () => {
    const { latency } = await series('');
    expect(latency[1]).toBeNull();
    expect(latency[2]).toEqual({
      ttft_p50_ms: 30,
      ttft_p95_ms: 808,
      duration_p50_ms: 300,
      duration_p95_ms: 8_080,
    });
  });

  it('reads the latency of the newest requests of a bucket only, however many it has', async () => {
    const hour = Date.parse('2025-12-30T10:00:00.000Z');
    const rows = Array.from({ length: FEWEST_MEASURED + 100 }, (_, second) =>
      usageRowOf({
        account_id: crowded,
        started_at: new Date(hour + second * 1_000).toISOString(),
        ttft_ms: second < 100 ? 9_000 : 20,
      }),
    );
    await app.app.get(UsageWriterStore, { strict: false }).write(rows);
    const range = 'since=2025-12-20&until=2026-01-01';
    const { buckets, latency } = await series('bucket=hour', crowded, range);
    expect(latency[buckets.indexOf('2025-12-30T10:00:00.000Z')]?.ttft_p95_ms).toBe(20);
  });

  it('counts errors by code', async () => {
    expect((await series('')).errors).toEqual([{ code: 'engine_error', count: 1 }]);
  });

  it('names the users of requests from the website', async () => {
    const { groups } = await series('by=key');
    expect(groups.map(({ key, name, requests }) => [key, name, requests])).toEqual([
      ['key_AAAAAAAAAAAA', null, [1, 0, 6]],
      [ada, 'Website (Ada)', [1, 0, 0]],
    ]);
    expect((await series(`by=none&key_id=${ada}`)).groups[0]?.requests).toEqual([1, 0, 0]);
  });

  it('sums up the groups beyond the first ones', async () => {
    const { groups, others } = await series('', crowded);
    expect(groups).toHaveLength(MOST_SERIES);
    expect(groups[0]).toMatchObject({ name: 'model 0', input_tokens: [1_000, 0, 0] });
    expect(others).toMatchObject({ groups: 3, requests: [3, 0, 0] });
  });

  it.each([
    ['by=colour', 'by'],
    ['bucket=year', 'bucket'],
    ['time_zone=Mars/Olympus', 'time_zone'],
    ['key_id=1', 'key_id'],
    ['since=2020-01-01&bucket=hour', 'bucket'],
  ])('refuses %s', async (query, param) => {
    const response = await fetch(`${app.url}/api/usage/series?${query}`, {
      headers: { authorization: `Bearer ${tokens[account] ?? ''}` },
    });
    expect([response.status, ((await response.json()) as { param: string }).param]).toEqual([400, param]);
  });
});

describe('GET /api/usage/requests/{id}', () => {
  const show = (id: string, as: string): Promise<Response> =>
    fetch(`${app.url}/api/usage/requests/${id}`, { headers: { authorization: `Bearer ${tokens[as] ?? ''}` } });

  it('shows a request of the log to its own account only', async () => {
    const list = await fetch(`${app.url}/api/usage/requests?key_id=${ada}`, {
      headers: { authorization: `Bearer ${tokens[account] ?? ''}` },
    });
    const [row] = ((await list.json()) as { data: { id: string }[] }).data;
    expect(await (await show(row!.id, account)).json()).toEqual(row);
    expect(row).toMatchObject({ key_name: 'Website (Ada)' });
    expect((await show(row!.id, crowded)).status).toBe(404);
  });
});
