import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from '@node-rs/argon2';
import { PASSWORD, PeopleHarness } from '../../../../test/support/relay/people.harness.js';
import { CredentialsService } from '../credentials.service.js';
import { SignInFailureEntity } from '../passwords/sign-in-failure.entity.js';
import { UserEntity } from '../users/user.entity.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start();
}, 120_000);

afterAll(async () => {
  await people.close();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM "user"');
});

describe('signing up', () => {
  it('signing up is disabled by default', async () => {
    const newUser = { email: 'a@example.com', password: PASSWORD };
    expect(await people.somebody().call('POST', 'sign-up', newUser, people.elsewhere())).toMatchObject({
      status: 403,
      body: { code: 'sign_up_closed' },
    });
  });
});

describe('signing in', () => {
  it('sets a new HttpOnly, SameSite cookie each time', async () => {
    await people.invited('member', 'ann@example.com');
    const ann = people.somebody();
    const response = await ann.call(
      'POST',
      'sign-in',
      { email: 'ANN@example.com', password: PASSWORD },
      people.elsewhere(),
    );
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()[0]).toMatch(
      /^__Host-ferry_session=ferry-ses-[0-9A-Za-z]{61}; Path=\/; Max-Age=1209600; HttpOnly; SameSite=Lax; Secure$/,
    );
    const first = ann.cookie;
    await ann.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere());
    expect(ann.cookie).not.toBe(first);
    const stored = await people.database.query<{ text: string }[]>('SELECT session::text AS text FROM session');
    expect(JSON.stringify(stored)).not.toContain(ann.sessionText);
  });

  it('answers an unknown address, a wrong password and a disabled user alike', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const unknown = await people.signIn('x@example.com', PASSWORD);
    const wrong = await people.signIn('ann@example.com', 'not this one');
    await people.root.call('PATCH', `users/${await people.idOf(ann)}`, { disabled: true });
    const disabled = await people.signIn('ann@example.com', PASSWORD);
    const withoutId = ({ body }: { body: object }): object => ({ ...body, request_id: null });
    expect(unknown).toMatchObject({ status: 401, body: { code: 'wrong_email_or_password' } });
    expect(withoutId(wrong)).toEqual(withoutId(unknown));
    expect(withoutId(disabled)).toEqual(withoutId(unknown));
  });

  it('allows five attempts, then blocks only this e-mail address', async () => {
    await people.invited('member', 'ann@example.com');
    const here = people.elsewhere();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(
        (await people.somebody().call('POST', 'sign-in', { email: 'ann@example.com', password: 'not this one' }, here))
          .status,
      ).toBe(401);
    }
    const paused = await people
      .somebody()
      .call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, here);
    expect([paused.status, paused.body['code'], paused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      '1',
    ]);
    expect((await people.signIn('ann@example.com', PASSWORD)).status).toBe(200);
  });

  it('counts concurrent attempts one by one', async () => {
    const here = people.elsewhere();
    const responses = await Promise.all(
      Array.from({ length: 12 }, () =>
        people.somebody().call('POST', 'sign-in', { email: 'who@example.com', password: 'not this one' }, here),
      ),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(7);
    const kept = await people.database.manager.find(SignInFailureEntity);
    expect(JSON.stringify(kept)).not.toContain('who@example.com');
  });

  it('allows thirty attempts a minute from one network address', async () => {
    const here = people.elsewhere();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 31; attempt += 1) {
      const email = `guess${String(attempt)}@example.com`;
      statuses.push((await people.somebody().call('POST', 'sign-in', { email, password: 'short' }, here)).status);
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
  });

  it('renews an outdated hash', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const weak = await hash(PASSWORD, { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    await people.database.manager.update(UserEntity, { email: 'ann@example.com' }, { passwordHash: weak });
    await ann.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere());
    const { passwordHash } = await people.database.manager.findOneByOrFail(UserEntity, { email: 'ann@example.com' });
    expect(passwordHash).not.toBe(weak);
    expect(passwordHash).toMatch(/m=256,t=1,p=1/);
  });

  it('signing in is refused across sites', async () => {
    const response = await people
      .somebody()
      .call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, { 'sec-fetch-site': 'cross-site' });
    expect(response).toMatchObject({ status: 403, body: { code: 'cross_site_request' } });
  });
});

describe('a session', () => {
  it('ends after twelve idle hours, and after fourteen days in any case', async () => {
    for (const [column, age] of [
      ['last_seen_at', '12 hours 1 minute'],
      ['created_at', '14 days 1 minute'],
    ]) {
      const ann = await people.invited('member', `${String(column).replaceAll('_', '')}@example.com`);
      expect((await ann.call('GET', 'whoami')).status).toBe(200);
      await people.database.query(`UPDATE session SET ${String(column)} = now() - interval '${String(age)}'`);
      expect(await ann.call('GET', 'whoami')).toMatchObject({ status: 401, body: { code: 'invalid_credential' } });
    }
  });

  it('stays alive while it is used', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    await people.database.query(`UPDATE session SET last_seen_at = now() - interval '11 hours'`);
    expect((await ann.call('GET', 'whoami')).status).toBe(200);
    const [row] = await people.database.query<{ fresh: boolean }[]>(
      `SELECT last_seen_at > now() - interval '1 minute' AS fresh FROM session`,
    );
    expect(row?.fresh).toBe(true);
  });

  it('ends with sign-out, and so does its event stream', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const { body } = await ann.call('GET', 'whoami');
    const credential = { kind: 'session', ...(body['credential'] as object) } as never;
    const credentials = people.management.app.get(CredentialsService);
    expect(await credentials.isActive(people.accountId, credential)).toBe(true);
    const { cookie } = ann;
    const out = await ann.call('POST', 'sign-out', {});
    expect([out.status, ann.cookie]).toEqual([200, undefined]);
    expect(await credentials.isActive(people.accountId, credential)).toBe(false);
    ann.cookie = cookie;
    expect((await ann.call('GET', 'whoami')).status).toBe(401);
  });

  it('ends with all others of the same user only', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const bob = await people.invited('member', 'bob@example.com');
    const annElsewhere = people.somebody();
    await annElsewhere.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere());
    expect((await ann.call('POST', 'sign-out-everywhere', {})).status).toBe(200);
    expect((await annElsewhere.call('GET', 'whoami')).status).toBe(401);
    expect((await bob.call('GET', 'whoami')).status).toBe(200);
  });
});

describe('a password', () => {
  it('a password is changed with the old one, which ends other sessions and renews this one', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const annElsewhere = people.somebody();
    await annElsewhere.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere());
    const before = ann.cookie;
    const next = 'another long password';
    expect(
      await ann.call('POST', 'password', { current_password: 'not this one', new_password: next }, people.elsewhere()),
    ).toMatchObject({ status: 401, body: { code: 'wrong_email_or_password' } });
    expect(
      await ann.call('POST', 'password', { current_password: PASSWORD, new_password: 'short' }, people.elsewhere()),
    ).toMatchObject({ status: 400, body: { param: 'new_password' } });
    expect(
      (await ann.call('POST', 'password', { current_password: PASSWORD, new_password: next }, people.elsewhere()))
        .status,
    ).toBe(200);
    expect(ann.cookie).not.toBe(before);
    expect((await ann.call('GET', 'whoami')).status).toBe(200);
    expect((await annElsewhere.call('GET', 'whoami')).status).toBe(401);
    expect((await people.signIn('ann@example.com', next)).status).toBe(200);
  });

  it('set by an admin works until it expires', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const { body } = await people.root.call('POST', `users/${await people.idOf(ann)}/reset-password`, {});
    const password = String(body['temporary_password']);
    expect((await ann.call('GET', 'whoami')).status).toBe(401);
    const entered = await people
      .somebody()
      .call('POST', 'sign-in', { email: 'ann@example.com', password }, people.elsewhere());
    expect(entered).toMatchObject({ status: 200, body: { user: { password_expires: expect.any(Number) } } });
    await people.database.query(`UPDATE "user" SET password_expires_at = now() - interval '1 second'`);
    expect(
      (await people.somebody().call('POST', 'sign-in', { email: 'ann@example.com', password }, people.elsewhere()))
        .status,
    ).toBe(401);
  });
});
