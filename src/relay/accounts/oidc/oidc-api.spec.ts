import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestOpenIdProvider } from '../../../../test/support/relay/openid-provider.js';
import { PeopleHarness } from '../../../../test/support/relay/people.harness.js';

let provider: TestOpenIdProvider;
let people: PeopleHarness;

beforeAll(async () => {
  // The provider reminds whoever starts it that its defaults are for development.
  for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => undefined);
  const client = {
    id: 'ferry',
    secret: 'a secret between the two',
    redirectUri: 'https://relay.test/api/oidc/callback',
  };
  provider = await TestOpenIdProvider.start(client);
  people = await PeopleHarness.start({
    FERRY_OIDC_ISSUER: provider.issuer,
    FERRY_OIDC_CLIENT_ID: client.id,
    FERRY_OIDC_CLIENT_SECRET: client.secret,
    FERRY_OIDC_EMAIL_DOMAINS: 'example.com, example.org',
  });
}, 120_000);

afterAll(async () => {
  await people.close();
  await provider.stop();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM "user"');
});

const get = (path: string, cookie = '', accept = '*/*'): Promise<Response> =>
  fetch(`${people.management.url}/api/oidc/${path}`, {
    redirect: 'manual',
    headers: { cookie, accept, ...people.elsewhere() },
  });

/** Up to the request that the provider sends the browser back with. */
async function visit(email: string): Promise<{ readonly callback: string; readonly cookie: string }> {
  const start = await get('start');
  expect(start.status).toBe(302);
  const back = await provider.signIn(start.headers.get('location') ?? '', email);
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { callback: `callback${back.search}`, cookie };
}

async function signIn(email: string): Promise<Response> {
  const { callback, cookie } = await visit(email);
  return get(callback, cookie);
}

const sessionOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.startsWith('__Host-ferry_session=')) ?? '';

describe('sign-in through an OpenID provider', () => {
  it('creates a member for an e-mail address of an allowed domain, and recognises it next time', async () => {
    for (const visitNumber of [1, 2]) {
      const response = await signIn('ann@example.com');
      expect([visitNumber, response.status, response.headers.get('location')]).toEqual([
        visitNumber,
        302,
        'https://relay.test/console',
      ]);
      const ann = people.somebody();
      ann.cookie = sessionOf(response);
      expect((await ann.call('GET', 'whoami')).body).toMatchObject({
        account_id: people.accountId,
        role: 'member',
        user: { email: 'ann@example.com', name: 'ann' },
      });
    }
    expect((await people.root.call('GET', 'users')).body['data']).toHaveLength(1);
  }, 30_000);

  it('links an existing user and keeps the role', async () => {
    await people.invited('admin', 'bob@elsewhere.net');
    const bob = people.somebody();
    bob.cookie = sessionOf(await signIn('bob@elsewhere.net'));
    expect((await bob.call('GET', 'whoami')).body).toMatchObject({ role: 'admin' });
    expect(await people.actions()).toContain('user.connect');
  }, 30_000);

  it('refuses other domains, unverified addresses and disabled users', async () => {
    const refused = async (email: string): Promise<void> => {
      const response = await signIn(email);
      expect([email, response.status, sessionOf(response)]).toEqual([email, 403, '']);
    };
    await refused('eve@elsewhere.net');
    await people.invited('owner', 'owner@example.com');
    provider.unverified.add('owner@example.com');
    await refused('owner@example.com');
    const ann = people.somebody();
    ann.cookie = sessionOf(await signIn('ann@example.com'));
    await people.root.call('PATCH', `users/${await people.idOf(ann)}`, { disabled: true });
    await refused('ann@example.com');
  }, 60_000);

  it('redirects a refused browser to the sign-in page, which shows the reason', async () => {
    const { callback } = await visit('ann@example.com');
    const refused = await get(callback, '', 'text/html,application/xhtml+xml;q=0.9');
    expect([refused.status, sessionOf(refused)]).toEqual([302, '']);
    expect(new URL(refused.headers.get('location') ?? '').search).toBe('?reason=sign_in_refused');
  }, 30_000);

  it('binds the callback to the browser that started the sign-in', async () => {
    const ann = await visit('ann@example.com');
    const eve = await visit('eve@example.com');
    expect((await get(ann.callback)).status).toBe(403);
    expect((await get(ann.callback, eve.cookie)).status).toBe(403);
    expect((await get(ann.callback, `${ann.cookie}x`)).status).toBe(403);
  }, 30_000);
});
