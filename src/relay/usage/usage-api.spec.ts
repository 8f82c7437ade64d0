import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DynamicModule } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { startManagementHarness, type ManagementHarness } from '../../../test/support/relay/management.harness.js';
import { usageRowOf } from '../../../test/support/db/usage-rows.js';
import type { AccountId } from '../../kernel/ids.js';
import { AccountEntity } from '../accounts/account.entity.js';
import { CliTokensService } from '../accounts/cli-tokens.service.js';
import type { UsageRow } from './usage-row.js';
import { UsageModule } from './usage.module.js';
import { UsageWriterStore } from './usage-writer.store.js';
import { UsageController } from './usage.controller.js';

const account = 'acc_mine' as AccountId;
const otherAccount = 'acc_other' as AccountId;
const nodeA = `nd_${'a'.repeat(32)}`;
const nodeB = `nd_${'b'.repeat(32)}`;

let app: ManagementHarness;
let token: string;
let otherToken: string;

const usageModule: DynamicModule = { module: UsageModule };

beforeAll(async () => {
  app = await startManagementHarness({ imports: [usageModule], controllers: [UsageController] });
  token = await addAccount(account);
  otherToken = await addAccount(otherAccount);
  const dataSource = app.app.get(DataSource);
  await dataSource.query(`INSERT INTO cluster (account_id, id, name) VALUES ($1, 'cl_aaaaaaaa', 'home')`, [account]);
  await dataSource.query(
    `INSERT INTO api_key (account_id, id, digest, name, last4, scopes)
     VALUES ($1, 'key_AAAAAAAAAAAA', '\\x01', 'laptop', 'abcd', '{inference}')`,
    [account],
  );
  await dataSource.query(
    `INSERT INTO node (account_id, id, cluster_id, name, public_key, state, platform, agent_version)
     VALUES ($1, $2, 'cl_aaaaaaaa', 'desk', '\\x01', 'active', 'linux', '0.1.0'),
            ($1, $3, 'cl_aaaaaaaa', '=cmd()', '\\x02', 'active', 'linux', '0.1.0')`,
    [account, nodeA, nodeB],
  );
  const rows: UsageRow[] = [
    usageRowOf({ account_id: account }),
    usageRowOf({ account_id: account, started_at: '2026-01-01T01:10:00.000Z', dialect: 'messages', output_tokens: 50 }),
    usageRowOf({
      account_id: account,
      started_at: '2026-01-01T01:20:00.000Z',
      node_id: nodeB,
      cluster_id: 'cl_bbbbbbbb',
      model: 'mdl_fedcba9876543210',
      model_name: 'big',
      outcome: 'cancelled',
      source: 'estimated',
    }),
    usageRowOf({ account_id: otherAccount, input_tokens: 999 }),
  ];
  await app.app.get(UsageWriterStore, { strict: false }).write(rows);
}, 120_000);

afterAll(async () => {
  await app.close();
});

async function addAccount(id: AccountId): Promise<string> {
  await app.app.get(DataSource).manager.insert(AccountEntity, { id, name: id });
  return app.app.get(CliTokensService, { strict: false }).replace(id, 'test');
}

const request = (query: string, headers: Record<string, string> = {}, credential = token): Promise<Response> =>
  fetch(`${app.url}/api/usage${query}`, { headers: { authorization: `Bearer ${credential}`, ...headers } });

async function get<FactsResponse = Record<string, unknown>>(
  query: string,
  credential?: string,
): Promise<FactsResponse> {
  const response = await request(query, {}, credential);
  const body = (await response.json()) as FactsResponse;
  if (response.status !== 200) throw new Error(`${String(response.status)} ${JSON.stringify(body)}`);
  return body;
}

interface Page {
  readonly data: readonly Record<string, unknown>[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const jan = 'since=2026-01-01&until=2026-01-02';
const keysAndNames = async (by: string): Promise<unknown[]> =>
  (await get<Page>(`?${jan}&by=${by}`)).data.map(({ key, name, requests }) => [key, name, requests]);

describe('GET /api/usage', () => {
  it('groups by model by default', async () => {
    expect(await get(`?${jan}`)).toEqual({
      object: 'usage',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-02T00:00:00.000Z',
      by: 'model',
      data: [
        {
          key: 'mdl_0123456789abcdef',
          name: 'tiny',
          requests: 2,
          completed: 2,
          failed: 0,
          cancelled: 0,
          timed_out: 0,
          rejected: 0,
          input_tokens: 20,
          cached_tokens: 8,
          output_tokens: 55,
          reasoning_tokens: 2,
          estimated_requests: 0,
        },
        {
          key: 'mdl_fedcba9876543210',
          name: 'big',
          requests: 1,
          completed: 0,
          failed: 0,
          cancelled: 1,
          timed_out: 0,
          rejected: 0,
          input_tokens: 10,
          cached_tokens: 4,
          output_tokens: 5,
          reasoning_tokens: 1,
          estimated_requests: 1,
        },
      ],
      has_more: false,
      totals: {
        requests: 3,
        completed: 2,
        failed: 0,
        cancelled: 1,
        timed_out: 0,
        rejected: 0,
        input_tokens: 30,
        cached_tokens: 12,
        output_tokens: 60,
        reasoning_tokens: 3,
        estimated_requests: 1,
      },
    });
  });

  it.each([
    ['key', [['key_AAAAAAAAAAAA', 'laptop', 3]]],
    [
      'node',
      [
        [nodeA, 'desk', 2],
        [nodeB, '=cmd()', 1],
      ],
    ],
    [
      'cluster',
      [
        ['cl_aaaaaaaa', 'home', 2],
        ['cl_bbbbbbbb', null, 1],
      ],
    ],
    [
      'dialect',
      [
        ['messages', 'messages', 1],
        ['chat', 'chat', 2],
      ],
    ],
    [
      'hour',
      [
        ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 1],
        ['2026-01-01T01:00:00Z', '2026-01-01T01:00:00Z', 2],
      ],
    ],
  ])('groups by %s, with names', async (by, expected) => {
    expect(await keysAndNames(by)).toEqual(expected);
  });

  it('uses current names, and last names of deleted objects', async () => {
    const dataSource = app.app.get(DataSource);
    await dataSource.query(`UPDATE node SET name = 'attic' WHERE id = $1`, [nodeA]);
    await dataSource.query(`DELETE FROM node WHERE id = $1`, [nodeB]);
    expect(await keysAndNames('node')).toEqual([
      [nodeA, 'attic', 2],
      [nodeB, '=cmd()', 1],
    ]);
  });

  it('counts whole hours from `since` on, up to `until`', async () => {
    const response = await get<{ since: string; totals: { requests: number } }>(
      '?since=2026-01-01T01:30:00Z&until=2026-01-01T02:00:00Z',
    );
    expect([response.since, response.totals.requests]).toEqual(['2026-01-01T01:00:00.000Z', 2]);
  });

  it('accepts UTC times without a zone, and relative times', async () => {
    expect(await get('?since=2026-01-01T01:00&until=2026-01-02')).toMatchObject({ since: '2026-01-01T01:00:00.000Z' });
    const { since, totals } = await get<{ since: string; totals: { requests: number } }>('?since=24h');
    expect(Date.now() - Date.parse(since)).toBeLessThan(25 * 3_600_000);
    expect(totals.requests).toBe(0);
  });

  it('filters by cluster', async () => {
    expect(await get(`?${jan}&cluster_id=cl_bbbbbbbb`)).toMatchObject({ totals: { requests: 1, cancelled: 1 } });
  });

  it('GET /api/usage is empty for foreign clusters, and scoped by account', async () => {
    expect(await get(`?${jan}`, otherToken)).toMatchObject({ totals: { requests: 1, input_tokens: 999 } });
    expect(await get(`?${jan}&cluster_id=cl_bbbbbbbb`, otherToken)).toMatchObject({ totals: { requests: 0 } });
  });

  it.each(['format=csv', ''])('GET /api/usage is CSV on request: %s', async (format) => {
    const response = await request(`?${jan}&by=node&${format}`, format === '' ? { accept: 'text/csv' } : {});
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="usage-by-node.csv"');
    const [head, first, second, end] = (await response.text()).split('\r\n');
    expect(head).toBe(
      'key,name,requests,completed,failed,cancelled,timed_out,rejected,' +
        'input_tokens,cached_tokens,output_tokens,reasoning_tokens,estimated_requests',
    );
    expect(first).toMatch(new RegExp(`^${nodeA},[a-z]+,2,2,0,0,0,0,20,8,55,2,0$`));
    // No spreadsheet runs what somebody called a node.
    expect(second).toBe(`${nodeB},'=cmd(),1,0,0,1,0,0,10,4,5,1,1`);
    expect(end).toBe('');
  });

  it.each([
    ['since=yesterday', 'since'],
    ['since=2026-13-01', 'since'],
    ['until=soon', 'until'],
    ['since=2026-01-02&until=2026-01-01', 'until'],
    ['by=colour', 'by'],
    ['cluster_id=home', 'cluster_id'],
    ['format=xml', 'format'],
    ['nonsense=1', 'nonsense'],
  ])('refuses %s', async (query, param) => {
    const response = await request(`?${query}`);
    expect([response.status, ((await response.json()) as { param: string }).param]).toEqual([400, param]);
  });

  it('needs authentication', async () => {
    expect((await fetch(`${app.url}/api/usage`)).status).toBe(401);
  });
});

describe('GET /api/usage/requests', () => {
  it('shows single requests, newest first, in pages', async () => {
    const first = await get<Page>('/requests?limit=2');
    expect(first.data.map(({ started_at }) => started_at)).toEqual([
      '2026-01-01T01:20:00.000Z',
      '2026-01-01T01:10:00.000Z',
    ]);
    expect(first.has_more).toBe(true);
    const second = await get<Page>(`/requests?limit=2&cursor=${first.next_cursor ?? ''}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(second.data).toEqual([
      {
        object: 'usage.request',
        id: expect.stringMatching(/^req_/),
        started_at: '2026-01-01T00:30:00.000Z',
        key_id: 'key_AAAAAAAAAAAA',
        key_name: 'laptop',
        node_id: nodeA,
        node_name: expect.any(String),
        cluster_id: 'cl_aaaaaaaa',
        cluster_name: 'home',
        model: 'mdl_0123456789abcdef',
        model_name: 'tiny',
        requested_model: 'tiny',
        dialect: 'chat',
        stream: true,
        outcome: 'completed',
        code: null,
        message: null,
        attempts: 1,
        retried: false,
        input_tokens: 10,
        cached_tokens: 4,
        output_tokens: 5,
        reasoning_tokens: 1,
        source: 'engine',
        queue_ms: 0,
        ttft_ms: 20,
        duration_ms: 100,
      },
    ]);
  });

  it.each([
    ['outcome=cancelled', 1],
    ['dialect=messages', 1],
    ['model=mdl_0123456789abcdef', 2],
    [`node_id=${nodeB}`, 1],
    ['cluster_id=cl_aaaaaaaa', 2],
    ['key_id=key_AAAAAAAAAAAA', 3],
    ['since=2026-01-01T01:15:00Z', 1],
    ['until=2026-01-01T01:10:00Z', 1],
    ['outcome=cancelled&dialect=messages', 0],
    ['request_id=ffffffff', 0],
  ])('filters: %s', async (query, count) => {
    expect((await get<Page>(`/requests?${query}`)).data).toHaveLength(count);
  });

  it('GET /api/usage/requests is scoped by account', async () => {
    expect((await get<Page>('/requests', otherToken)).data).toHaveLength(1);
  });
});
