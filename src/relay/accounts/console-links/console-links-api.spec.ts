import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PASSWORD,
  PeopleHarness,
  type ApiResponse,
  type Person,
} from '../../../../test/support/relay/people.harness.js';
import { ConsoleLinkEntity } from './console-link.entity.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start();
}, 120_000);

afterAll(async () => {
  await people.close();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM console_link');
  await people.database.query('DELETE FROM "user"');
});

async function newLink(): Promise<string> {
  const { body } = await people.root.call('POST', 'local/console-link', {});
  return String(body['url']).split('#')[1] ?? '';
}

const enter = (token: string, person: Person = people.somebody()): Promise<ApiResponse> =>
  person.call('POST', 'sign-in/link', { token }, people.elsewhere());

describe('the link of ferry up', () => {
  it('the link of ferry up has the token in its fragment, and is valid for 15 minutes', async () => {
    const { status, body, headers } = await people.root.call('POST', 'local/console-link', {});
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      object: 'console_link',
      url: expect.stringMatching(/^https:\/\/relay\.test\/console\/start#ferry-web-[0-9A-Za-z]{61}$/),
    });
    expect(Math.abs(Number(body['expires']) - Date.now() / 1_000 - 900)).toBeLessThan(5);
    const [kept] = await people.database.manager.find(ConsoleLinkEntity);
    expect(JSON.stringify(kept)).not.toContain(String(body['url']).split('#')[1]);
  });

  it('the link of ferry up can be created with the token of the relay only', async () => {
    const owner = await people.invited('owner', 'owner@example.com');
    expect(await owner.call('POST', 'local/console-link', {})).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    expect((await people.somebody().call('POST', 'local/console-link', {})).status).toBe(401);
    // Of the same person and role, but with an end, which a session from a link would evade.
    const { body: started } = await people.somebody().call('POST', 'device-login', {}, people.elsewhere());
    await owner.call('POST', 'device-login/approve', { user_code: started['user_code'] }, people.elsewhere());
    const { device_code } = started;
    const { body: granted } = await people.somebody().call('POST', 'device-login/token', { device_code });
    const commandLine = people.somebody(String(granted['cli_token']));
    expect((await commandLine.call('GET', 'whoami')).body).toMatchObject({ role: 'owner' });
    expect(await commandLine.call('POST', 'local/console-link', {})).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
  });

  it('signs in a new owner, once', async () => {
    const token = await newLink();
    const browser = people.somebody();
    expect(await enter(token, browser)).toMatchObject({
      status: 200,
      body: { role: 'owner', has_password: false, user: { email: 'owner@localhost', name: 'Owner' } },
    });
    expect((await browser.call('GET', 'users')).status).toBe(200);
    expect(await enter(token)).toMatchObject({ status: 409, body: { code: 'link_used' } });
    expect(await people.actions()).toEqual(
      expect.arrayContaining(['console-link.create', 'session.create', 'console-link.use']),
    );
  });

  it('signs in once when it is used by several at the same time', async () => {
    const token = await newLink();
    const statuses = (await Promise.all(Array.from({ length: 5 }, () => enter(token)))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('signs in the oldest owner who is not disabled', async () => {
    const first = await people.invited('owner', 'first@example.com');
    await people.invited('owner', 'second@example.com');
    expect(await enter(await newLink())).toMatchObject({ body: { user: { email: 'first@example.com' } } });
    await people.root.call('PATCH', `users/${await people.idOf(first)}`, { disabled: true });
    expect(await enter(await newLink())).toMatchObject({ body: { user: { email: 'second@example.com' } } });
  });

  it('the link of ferry up is refused when it has expired, is unknown, or comes from another site', async () => {
    const token = await newLink();
    const fromAnotherSite = { 'sec-fetch-site': 'cross-site', ...people.elsewhere() };
    expect(await people.somebody().call('POST', 'sign-in/link', { token }, fromAnotherSite)).toMatchObject({
      status: 403,
      body: { code: 'cross_site_request' },
    });
    await people.database.query(`UPDATE console_link SET expires_at = now() - interval '1 second'`);
    const expired = await enter(token);
    const unknown = await enter(`${token.slice(0, -8)}aaaaaaaa`);
    expect(expired).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect({ ...unknown.body, request_id: null }).toEqual({ ...expired.body, request_id: null });
  });

  it('allows thirty attempts a minute from one network address', async () => {
    const here = people.elsewhere();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1) {
      statuses.push((await people.somebody().call('POST', 'sign-in/link', { token: 'x' }, here)).status);
    }
    expect([statuses[29], statuses[30]]).toEqual([404, 429]);
  });
});

describe('the first password', () => {
  const chosen = { password: PASSWORD, email: 'Ada@Example.com', name: 'Ada' };

  it('the first password is set without an old one, with the e-mail address to sign in with, and renews the session', async () => {
    const browser = people.somebody();
    const elsewhere = people.somebody();
    await enter(await newLink(), browser);
    await enter(await newLink(), elsewhere);
    const before = browser.cookie;
    expect(await browser.call('POST', 'password/first', chosen, people.elsewhere())).toMatchObject({
      status: 200,
      body: { has_password: true, user: { email: 'ada@example.com', name: 'Ada' } },
    });
    expect(browser.cookie).not.toBe(before);
    expect((await browser.call('GET', 'whoami')).status).toBe(200);
    expect((await elsewhere.call('GET', 'whoami')).status).toBe(401);
    expect((await people.signIn('ada@example.com', PASSWORD)).status).toBe(200);
    expect(await browser.call('POST', 'password/first', chosen, people.elsewhere())).toMatchObject({
      status: 409,
      body: { code: 'conflict' },
    });
  });

  it('needs a recent sign-in, an acceptable password and an e-mail address that is free', async () => {
    await people.invited('member', 'ada@example.com');
    const browser = people.somebody();
    await enter(await newLink(), browser);
    const attempt = (body: object): Promise<ApiResponse> =>
      browser.call('POST', 'password/first', body, people.elsewhere());
    expect(await attempt({ ...chosen, password: 'short' })).toMatchObject({ status: 400, body: { param: 'password' } });
    expect(await attempt(chosen)).toMatchObject({ status: 409, body: { param: 'email' } });
    await people.database.query(`UPDATE session SET created_at = now() - interval '16 minutes'`);
    expect(await attempt({ password: PASSWORD })).toMatchObject({
      status: 403,
      body: { code: 'recent_sign_in_needed' },
    });
  });

  it('the first password cannot be set after an OpenID sign-in, nor with a CLI token', async () => {
    const browser = people.somebody();
    await enter(await newLink(), browser);
    await people.database.query(`UPDATE "user" SET oidc_issuer = 'https://login.test', oidc_subject = '1'`);
    expect((await browser.call('POST', 'password/first', chosen, people.elsewhere())).status).toBe(409);
    expect((await people.root.call('POST', 'password/first', chosen, people.elsewhere())).status).toBe(400);
  });
});

describe('the sign-in methods', () => {
  it('the sign-in methods are public', async () => {
    expect((await people.somebody().call('GET', 'sign-in/methods')).body).toEqual({
      object: 'sign_in_methods',
      browser: true,
      password: true,
      oidc: { enabled: false, name: null },
      sign_up: false,
      service: { name: 'Ferry', version: '0.0.0-test' },
    });
  });
});
