import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Get } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { startManagementHarness, type ManagementHarness } from '../../../../test/support/relay/management.harness.js';
import { createCredential } from '../../../kernel/credential.js';
import type { AccountId } from '../../../kernel/ids.js';
import { AccountEntity } from '../../accounts/account.entity.js';
import { CliTokensService } from '../../accounts/cli-tokens.service.js';
import { Public, Requires } from '../access/access.js';
import { ManagementController } from '../api/management-controller.js';
import { eventually } from '../../../../test/support/clock/eventually.js';
import { ManagementRates } from './management-rates.js';

@ManagementController('things', 'Test')
@Requires('account:read')
class ThingsController {
  @Get()
  list(): object {
    return { object: 'list', data: [] };
  }

  @Get('public')
  @Public()
  public(): object {
    return {};
  }
}

/** Ten seconds worth of these are 3 for a credential, 5 for an account, 20 for an address and 4 for its failures. */
const env = {
  FERRY_MANAGEMENT_PER_CREDENTIAL_PER_MINUTE: '18',
  FERRY_MANAGEMENT_PER_ACCOUNT_PER_MINUTE: '30',
  FERRY_MANAGEMENT_PER_ADDRESS_PER_MINUTE: '120',
  FERRY_MANAGEMENT_FAILED_PER_ADDRESS_PER_MINUTE: '24',
};

const accountId = 'acc_mine' as AccountId;
let management: ManagementHarness;
let tokens: CliTokensService;

beforeAll(async () => {
  management = await startManagementHarness({ controllers: [ThingsController], env });
  await management.app.get(DataSource).manager.insert(AccountEntity, [{ id: accountId, name: 'mine' }]);
  tokens = management.app.get(CliTokensService);
}, 120_000);

afterAll(async () => {
  await management.close();
});

const get = (token?: string, path = 'things'): Promise<Response> =>
  fetch(`${management.url}/api/${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });

/** Sends a request and closes the connection at once. */
async function guessAndLeave(token: string): Promise<void> {
  const { hostname, port } = new URL(management.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.end(`GET /api/things HTTP/1.1\r\nHost: ferry\r\nAuthorization: Bearer ${token}\r\n\r\n`, () => {
    socket.destroy();
  });
}

const policyHeaders = ({ headers }: Response): (string | null)[] => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
];

/** One after the other: each takes from what the one before has left, of the address above all. */
describe('the rates of /api', () => {
  it('the rates of /api are in headers of every answer', async () => {
    const response = await get(await tokens.replace(accountId, 'first'));
    expect(response.status).toBe(200);
    const [policy, left] = policyHeaders(response);
    expect(policy).toBe('"credential";q=3;w=10, "account";q=5;w=10');
    expect(left).toMatch(/^"credential";r=2;t=4, "account";r=4;t=2$/);
  });

  it('the rates of /api limit a credential, with Retry-After', async () => {
    const token = await tokens.replace(accountId, 'second');
    const responses = [await get(token), await get(token), await get(token), await get(token)];
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    const refused = responses[3]!;
    expect(refused.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(refused.headers.get('retry-after')).toMatch(/^[1-4]$/);
    expect(refused.headers.get('x-should-retry')).toBe('true');
    expect(refused.headers.get('ratelimit')).toMatch(/"credential";r=0;t=1?\d/);
    expect(await refused.json()).toMatchObject({
      type: 'urn:ferry:error:rate_limit_exceeded',
      title: 'Rate limit exceeded',
      status: 429,
      detail: 'This credential sends too many requests.',
      code: 'rate_limit_exceeded',
    });
  });

  it('the rates of /api limit an account over all its credentials', async () => {
    const other = 'acc_other' as AccountId;
    await management.app.get(DataSource).manager.insert(AccountEntity, [{ id: other, name: 'other' }]);
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const responses: Response[] = [];
    for (const name of names) responses.push(await get(await tokens.replace(other, name)));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await responses[5]!.json()).toMatchObject({ detail: 'This account sends too many requests.' });
  });

  it('limit an address after invalid credentials, also of who does not wait for the answer, before further verification', async () => {
    const wrong = createCredential('cli-token').text;
    const responses = [await get(wrong), await get()];
    await guessAndLeave(wrong);
    await guessAndLeave(wrong);
    const { failures } = management.app.get(ManagementRates);
    await eventually('those who left are counted', () => !failures.peek('127.0.0.1').allowed);
    responses.push(await get(wrong));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(responses[2]!.headers.get('ratelimit-policy')).toBe('"failures";q=4;w=10');
    expect(responses[2]!.headers.get('retry-after')).toMatch(/^[1-3]$/);
    expect((await get(await tokens.replace(accountId, 'third'))).status).toBe(429);
  });

  it('the rates of /api limit an address without credentials', async () => {
    const responses: Response[] = [];
    // The wrong credentials of before have to be paid for first.
    await new Promise((resolve) => setTimeout(resolve, 2_600));
    while (responses.length < 40 && responses.at(-1)?.status !== 429)
      responses.push(await get(undefined, 'things/public'));
    expect(responses.length).toBeGreaterThan(5);
    const refused = responses.at(-1)!;
    expect(refused.headers.get('ratelimit-policy')).toBe('"address";q=20;w=10');
    expect(await refused.json()).toMatchObject({ detail: 'Too many requests come from this address.' });
  });
});
