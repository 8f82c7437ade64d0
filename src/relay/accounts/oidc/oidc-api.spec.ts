import { hash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { TestOpenIdProvider } from '../../../../test/support/relay/openid-provider.js';
import { PASSWORD, PeopleHarness } from '../../../../test/support/relay/people.harness.js';

/** Of the harness; an older one is there, too. */
const ACCOUNT = 'acc_0e0b1c2d3e4f5061728394a5b6c7d8e9';

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
    FERRY_OIDC_ACCOUNT: ACCOUNT,
  });
}, 120_000);

afterAll(async () => {
  await people.close();
  await provider.stop();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM removed_person');
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
    expect((await people.root.call('GET', 'users')).body['data']).toEqual([expect.objectContaining({ openid: true })]);
  }, 30_000);

  it('adds nobody to the oldest account, but to the one of the settings', async () => {
    await people.database.query(
      `INSERT INTO account (id, name, created_at) VALUES ('acc_older', 'older', now() - interval '1 year')`,
    );
    const ann = people.somebody();
    ann.cookie = sessionOf(await signIn('ann@example.com'));
    expect((await ann.call('GET', 'whoami')).body).toMatchObject({ account_id: ACCOUNT });
    await people.database.query(`DELETE FROM account WHERE id = 'acc_older'`);
  }, 30_000);

  it('ends the password and all credentials of a user whom it connects', async () => {
    // Whoever accepts an invite may give an address of somebody else.
    const stranger = await people.invited('admin', 'bob@elsewhere.net');
    const { body: invite } = await stranger.call('POST', 'invites', {});
    const bob = people.somebody();
    bob.cookie = sessionOf(await signIn('bob@elsewhere.net'));
    expect((await bob.call('GET', 'whoami')).body).toMatchObject({ role: 'admin', has_password: false });
    expect((await stranger.call('GET', 'whoami')).status).toBe(401);
    expect((await people.signIn('bob@elsewhere.net', PASSWORD)).status).toBe(401);
    expect((await people.accept(invite['invite_token'], 'x@example.com')).status).toBe(404);
    // Known from now on: nothing ends again.
    await signIn('bob@elsewhere.net');
    expect((await bob.call('GET', 'whoami')).status).toBe(200);
    const id = await people.idOf(bob);
    expect(await people.root.call('POST', `users/${id}/reset-password`, {})).toMatchObject({ status: 409 });
  }, 30_000);

  it('takes the claim about the address also as text', async () => {
    await people.invited('admin', 'true@elsewhere.net');
    await people.invited('admin', 'false@elsewhere.net');
    provider.verifiedAs.set('true@elsewhere.net', 'true');
    provider.verifiedAs.set('false@elsewhere.net', 'false');
    expect((await signIn('true@elsewhere.net')).status).toBe(302);
    expect((await signIn('false@elsewhere.net')).status).toBe(403);
  }, 30_000);

  it('admits a removed person after another invite only', async () => {
    const ann = people.somebody();
    ann.cookie = sessionOf(await signIn('ann@example.com'));
    await people.root.call('DELETE', `users/${await people.idOf(ann)}`);
    expect((await signIn('ann@example.com')).status).toBe(403);
    const kept = await people.database.query<{ digest: Buffer }[]>('SELECT digest FROM removed_person');
    expect(kept).toHaveLength(2);
    // Who guesses an address cannot see in a copy of the database whether it is that.
    const guesses = ['', 'ferry/removed-person/v1\0', 'ferry/removed-person/v2\0'].map((prefix) =>
      hash('sha256', `${prefix}${ACCOUNT}\0email\0ann@example.com`, 'hex'),
    );
    for (const { digest } of kept) expect(guesses).not.toContain(digest.toString('hex'));
    await people.invited('member', 'ann@example.com');
    expect((await signIn('ann@example.com')).status).toBe(302);
  }, 30_000);

  it('admits nobody either whom an earlier version has removed', async () => {
    const digest = hash('sha256', `ferry/removed-person/v1\0${ACCOUNT}\0email\0bea@example.com`, 'hex');
    await people.database.query('INSERT INTO removed_person (account_id, digest) VALUES ($1, $2)', [
      ACCOUNT,
      Buffer.from(digest, 'hex'),
    ]);
    expect((await signIn('bea@example.com')).status).toBe(403);
    await people.invited('member', 'bea@example.com');
    expect((await signIn('bea@example.com')).status).toBe(302);
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
