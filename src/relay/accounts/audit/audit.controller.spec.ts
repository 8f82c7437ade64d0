import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startManagementHarness, type ManagementHarness } from '../../../../test/support/relay/management.harness.js';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountEntity } from '../account.entity.js';
import { CliTokensService } from '../cli-tokens.service.js';
import { KeysController } from '../../keys/keys.controller.js';
import { AuditController } from './audit.controller.js';

const accountId = 'acc_mine' as AccountId;
const strangerId = 'acc_other' as AccountId;

let management: ManagementHarness;
let token: string;
let strangersToken: string;

const call = (method: string, route: string, body?: object, credential = token): Promise<Response> =>
  fetch(`${management.url}/api/${route}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      'user-agent': 'a test',
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });

interface Listed {
  readonly data: readonly { readonly action: string; readonly target: { readonly id: string } }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const list = async (query = '', credential = token): Promise<Listed> =>
  (await (await call('GET', `audit${query}`, undefined, credential)).json()) as Listed;

beforeAll(async () => {
  management = await startManagementHarness({
    controllers: [AuditController, KeysController],
    env: { FERRY_TRUSTED_PROXIES: '127.0.0.1' },
  });
  const { app } = management;
  await app.get(DataSource).manager.insert(AccountEntity, [
    { id: accountId, name: 'mine' },
    { id: strangerId, name: 'other' },
  ]);
  const tokens = app.get(CliTokensService, { strict: false });
  token = await tokens.replace(accountId, 'laptop');
  strangersToken = await tokens.replace(strangerId, 'laptop');
  await call('POST', 'keys', { name: '=HYPERLINK("http://evil")' });
  await call('POST', 'keys', { name: 'second' });
  await call('DELETE', 'keys/second');
}, 120_000);

afterAll(async () => {
  await management.close();
});

describe('GET /api/audit', () => {
  it('returns actor, change and address, and never a key', async () => {
    const { data } = await list('?action=key.revoke');
    expect(data).toEqual([
      {
        object: 'audit_event',
        id: expect.stringMatching(/^evt_/),
        created_at: expect.stringMatching(/^\d{4}-.*Z$/),
        action: 'key.revoke',
        actor: { kind: 'cli-token', user_id: null, credential_id: expect.stringMatching(/^cli_/), name: 'laptop' },
        target: { kind: 'key', id: expect.stringMatching(/^key_/) },
        detail: { name: 'second' },
        ip: '127.0.0.1',
        user_agent: 'a test',
      },
    ]);
    expect(JSON.stringify(await list())).not.toContain('sk-ferry-');
  });

  it('GET /api/audit is read page by page', async () => {
    const first = await list('?action=key&limit=2');
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await list(`?action=key&limit=2&cursor=${String(first.next_cursor)}`);
    expect([...first.data, ...rest.data].map(({ action }) => action)).toEqual([
      'key.revoke',
      'key.create',
      'key.create',
    ]);
    expect([rest.has_more, rest.next_cursor]).toEqual([false, null]);
  });

  it('shows nothing of another account', async () => {
    expect((await list('?action=key', strangersToken)).data).toEqual([]);
  });

  it.each(['?cursor=nonsense', '?since=yesterday', '?format=xml', '?limit=0', '?everything=yes'])(
    'refuses %s',
    async (query) => {
      expect((await call('GET', `audit${query}`)).status).toBe(400);
    },
  );

  it('exports lines of JSON', async () => {
    const response = await call('GET', 'audit?action=key&format=ndjson');
    expect(response.headers.get('content-type')).toContain('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toContain('audit.ndjson');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toHaveLength(3);
  });

  it('exports CSV without spreadsheet formulas', async () => {
    const response = await call('GET', 'audit?action=key&format=csv');
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/csv');
    expect(text.split('\r\n')[0]).toMatch(/^created_at,id,action,/);
    expect(text.trimEnd().split('\r\n')).toHaveLength(4);
    expect(text).not.toMatch(/(^|,)"?=/m);
  });

  it('names the client that a trusted proxy forwards for', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${management.url}/api/keys`, {
      method: 'POST',
      headers: { ...headers, 'x-forwarded-for': '192.0.2.1, 203.0.113.7' },
      body: JSON.stringify({ name: 'forwarded' }),
    });
    expect((await list('?action=key.create&limit=1')).data).toMatchObject([
      { detail: { name: 'forwarded' }, ip: '203.0.113.7' },
    ]);
  });
});
