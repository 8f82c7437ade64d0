import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import type { Request } from 'express';
import type { ServerResponse } from 'node:http';
import { DataSource } from 'typeorm';
import {
  startManagementHarness,
  type ManagementHarness,
} from '../../../../../test/support/relay/management.harness.js';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import type { AccountId } from '../../../../kernel/ids.js';
import { AccountEntity } from '../../../accounts/account.entity.js';
import { CliTokensService } from '../../../accounts/cli-tokens.service.js';
import { UsersStore } from '../../../accounts/users/users.store.js';
import { Public, Requires } from '../../access/access.js';
import { principalOf } from '../../access/request-principal.js';
import { ManagementController } from '../management-controller.js';
import { IdempotentRequestsStore, noteIdempotentChange } from './idempotent-requests.store.js';

class ThingDto {
  @IsString()
  name: string;

  @IsOptional()
  @IsString()
  note?: string;
}

const SECRET = 'sk-shown-once';
const unavailable = new Error('Connection terminated unexpectedly');
let made = 0;
let outcome: (principal: object) => Promise<void> = () => Promise.resolve();

@ManagementController('things', 'Test')
@Requires('account:read')
class ThingsController {
  @Post()
  async create(@Body() { name }: ThingDto, @Req() req: Request): Promise<object> {
    made += 1;
    const number = made;
    await outcome(principalOf(req) ?? {});
    return { object: 'thing', name, number, secret: SECRET };
  }

  @Post('accepted')
  @HttpCode(202)
  accept(): object {
    made += 1;
    return { number: made };
  }

  @Post('cookie')
  cookie(@Res({ passthrough: true }) res: ServerResponse): object {
    made += 1;
    res.setHeader('set-cookie', 'session=1');
    return { number: made };
  }

  @Post('public')
  @Public()
  public(): object {
    made += 1;
    return { number: made };
  }
}

const accountId = 'acc_mine' as AccountId;
const otherAccountId = 'acc_other' as AccountId;
let management: ManagementHarness;
let mine: string;
let colleague: string;
let otherToken: string;
let nextKey = 0;
let key: string;

beforeAll(async () => {
  management = await startManagementHarness({
    controllers: [ThingsController],
    env: { FERRY_IDEMPOTENCY_KEYS_PER_ACCOUNT: '50' },
  });
  const { app } = management;
  await app.get(DataSource).manager.insert(AccountEntity, [
    { id: accountId, name: 'mine' },
    { id: otherAccountId, name: 'other' },
  ]);
  const tokens = app.get(CliTokensService);
  mine = await tokens.replace(accountId, 'laptop');
  const person = { accountId, email: 'a@example.com', name: 'a', role: 'owner', passwordHash: null } as const;
  colleague = await app.get(DataSource).transaction(async (manager) => {
    const { id: userId } = await app.get(UsersStore).insert(manager, person);
    return (await tokens.issue(manager, accountId, { userId, role: 'owner', name: 'desktop', lifetimeMs: 600_000 }))
      .text;
  });
  otherToken = await tokens.replace(otherAccountId, 'laptop');
}, 120_000);

afterAll(async () => {
  await management.close();
});

beforeEach(() => {
  made = 0;
  outcome = () => Promise.resolve();
  key = `order-${String((nextKey += 1))}`;
});

interface FactsResponse {
  readonly status: number;
  readonly replayed: string | null;
  readonly retryAfter: string | null;
  readonly body: Record<string, unknown>;
}

async function post(
  path: string,
  body: object,
  token = mine,
  headers: Record<string, string> = {},
): Promise<FactsResponse> {
  const response = await fetch(`${management.url}/api/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

describe('a repeated POST with the same Idempotency-Key', () => {
  it('gets the first answer again, without a second effect', async () => {
    const first = await post('things', { name: 'a', note: 'b' });
    expect(first).toMatchObject({ status: 201, replayed: null, body: { number: 1, secret: SECRET } });
    // The order of the fields is not a difference.
    const second = await post('things', { note: 'b', name: 'a' });
    expect(second).toEqual({ ...first, replayed: 'true' });
    expect(made).toBe(1);
  });

  it('keeps the status', async () => {
    await post('things/accepted', {});
    expect(await post('things/accepted', {})).toMatchObject({ status: 202, replayed: 'true', body: { number: 1 } });
  });

  it.each([
    ['another body', 'things', { name: 'b' }],
    ['another route', 'things/accepted', { name: 'a' }],
    ['another query', 'things?x=1', { name: 'a' }],
  ])('a repeated POST with the same Idempotency-Key is refused with %s', async (_what, path, body) => {
    await post('things', { name: 'a' });
    expect(await post(path, body)).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
    expect(made).toBe(1);
  });

  it('a repeated POST with the same Idempotency-Key is executed once, however many arrive at the same time', async () => {
    let finish: () => void = () => undefined;
    outcome = () => new Promise((resolve) => (finish = resolve));
    const first = post('things', { name: 'a' });
    while (made === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const rivals = await Promise.all(Array.from({ length: 5 }, () => post('things', { name: 'a' })));
    for (const rival of rivals) {
      expect(rival).toMatchObject({ status: 409, retryAfter: '1', body: { code: 'idempotency_conflict' } });
    }
    finish();
    expect(await first).toMatchObject({ status: 201 });
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 201, replayed: 'true' });
    expect(made).toBe(1);
  });

  it('a repeated POST with the same Idempotency-Key is executed when the first was refused', async () => {
    outcome = () => Promise.reject(new FerryError('node_offline'));
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 503, body: { code: 'node_offline' } });
    outcome = () => Promise.resolve();
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 201, replayed: null });
  });

  it('a repeated POST with the same Idempotency-Key is executed when the database was away before the first had changed anything', async () => {
    for (const error of [unavailable, new FerryError('overloaded', 'The database is away.', { cause: unavailable })]) {
      outcome = () => Promise.reject(error);
      expect(await post('things', { name: 'a' })).toMatchObject({ status: 503 });
    }
    outcome = () => Promise.resolve();
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 201, replayed: null });
  });

  it('is not repeated when the database was away after the first had changed something, and is told at once', async () => {
    const dataSource = management.app.get(DataSource);
    outcome = async (principal) => {
      await dataSource.transaction((manager) => noteIdempotentChange(manager, principal));
      throw unavailable;
    };
    expect((await post('things', { name: 'a' })).status).toBe(503);
    const second = await post('things', { name: 'a' });
    expect(second).toMatchObject({ status: 409, retryAfter: null, body: { code: 'idempotency_conflict' } });
    expect(second.body['detail']).toContain('has completed');
    expect(made).toBe(1);
  });

  it('a repeated POST with the same Idempotency-Key is executed when the change of the first was rolled back', async () => {
    const dataSource = management.app.get(DataSource);
    outcome = (principal) =>
      dataSource.transaction(async (manager) => {
        await noteIdempotentChange(manager, principal);
        throw unavailable;
      });
    expect((await post('things', { name: 'a' })).status).toBe(503);
    outcome = () => Promise.resolve();
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 201, replayed: null });
  });

  it('a repeated POST with the same Idempotency-Key does not consume the key when the body was invalid', async () => {
    expect((await post('things', { name: 7 })).status).toBe(400);
    expect((await post('things', { name: 'a' })).status).toBe(201);
  });

  it('a repeated POST with the same Idempotency-Key is not repeated when the outcome of the first is unknown', async () => {
    outcome = () => Promise.reject(new Error('the connection broke after the commit'));
    expect((await post('things', { name: 'a' })).status).toBe(500);
    outcome = () => Promise.resolve();
    expect(await post('things', { name: 'a' })).toMatchObject({ status: 409, retryAfter: '1' });
    await management.app
      .get(DataSource)
      .query(`UPDATE idempotent_request SET created_at = now() - interval '2 minutes' WHERE status IS NULL`);
    const late = await post('things', { name: 'a' });
    expect(late).toMatchObject({ status: 409, retryAfter: null });
    expect(late.body['detail']).toContain('is unknown');
    expect(made).toBe(1);
  });

  it('never replays a cookie', async () => {
    expect((await post('things/cookie', {})).status).toBe(201);
    const second = await post('things/cookie', {});
    expect(second).toMatchObject({ status: 409, body: { code: 'idempotency_conflict' } });
    expect(second.body['detail']).toContain('has completed');
  });

  it('a repeated POST with the same Idempotency-Key is executed again after the retention time', async () => {
    await post('things', { name: 'a' });
    await management.app
      .get(DataSource)
      .query(`UPDATE idempotent_request SET created_at = now() - interval '25 hours'`);
    expect(await post('things', { name: 'b' })).toMatchObject({ status: 201, replayed: null });
    expect(await management.app.get(IdempotentRequestsStore, { strict: false }).prune(24, 1_000)).toBeGreaterThan(0);
  });
});

describe('an Idempotency-Key', () => {
  it('an Idempotency-Key is scoped to its caller: neither a colleague nor another account gets the answer', async () => {
    await post('things', { name: 'a' });
    expect(await post('things', { name: 'a' }, colleague)).toMatchObject({ replayed: null, body: { number: 2 } });
    expect(await post('things', { name: 'a' }, otherToken)).toMatchObject({ replayed: null, body: { number: 3 } });
  });

  it('an Idempotency-Key is ignored on public routes', async () => {
    await post('things/public', {});
    expect(await post('things/public', {})).toMatchObject({ replayed: null, body: { number: 2 } });
  });

  it.each(['', 'with blank', 'ü', 'x'.repeat(256)])(
    'an Idempotency-Key must be 1 to 255 visible characters: %j',
    async (value) => {
      expect(await post('things', { name: 'a' }, mine, { 'idempotency-key': value })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', param: 'Idempotency-Key' },
      });
      expect(made).toBe(0);
    },
  );

  it('leaves neither the key nor secrets of the answer readable in the database', async () => {
    await post('things', { name: 'a' });
    const rows = await management.app
      .get(DataSource)
      .query<Record<string, unknown>[]>('SELECT * FROM idempotent_request');
    expect(rows.length).toBeGreaterThan(0);
    const stored = rows.map((row) =>
      Object.values(row)
        .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
        .join(' '),
    );
    expect(stored.join('\n')).not.toMatch(new RegExp(`${key}|${SECRET}`));
  });

  it('an Idempotency-Key is refused beyond the limit of the account', async () => {
    const responses: number[] = [];
    for (let request = 0; request < 51; request += 1) {
      key = `many-${String(request)}`;
      responses.push((await post('things', { name: 'a' }, otherToken)).status);
    }
    expect(responses.slice(0, 49)).toEqual(Array<number>(49).fill(201));
    expect(responses.at(-1)).toBe(429);
    key = 'many-0';
    expect(await post('things', { name: 'a' }, otherToken)).toMatchObject({ status: 201, replayed: 'true' });
  });
});
