import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PASSWORD, PeopleHarness } from '../../../../test/support/relay/people.harness.js';

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

describe('an invite', () => {
  it('is given as a link and a command, admits one person, and signs them in', async () => {
    const made = await people.root.call('POST', 'invites', { role: 'admin' });
    const token = String(made.body['invite_token']);
    expect(made).toMatchObject({
      status: 201,
      body: {
        object: 'invite',
        role: 'admin',
        created_by: null,
        link: `https://relay.test/console/invite#${token}`,
        accept_command: expect.stringMatching(`^curl -fsS https://relay.test/api/invites/accept .*"token":"${token}"`),
      },
    });
    expect(JSON.stringify((await people.root.call('GET', 'invites')).body)).not.toContain(token);

    const person = people.somebody();
    const newcomer = { token, email: ' Ann@Example.com', password: PASSWORD, name: 'Ann' };
    const accepted = await person.call(
      'POST',
      'invites/accept',
      { ...newcomer, email: 'Ann@Example.com' },
      people.elsewhere(),
    );
    expect(accepted).toMatchObject({
      status: 201,
      body: {
        account_id: people.accountId,
        role: 'admin',
        user: { email: 'ann@example.com', name: 'Ann', role: 'admin' },
        credential: { kind: 'session', name: 'ann@example.com' },
      },
    });
    const again = await people
      .somebody()
      .call('POST', 'invites/accept', { ...newcomer, email: 'b@example.com' }, people.elsewhere());
    expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await people.root.call('GET', 'invites')).body['data']).toEqual([]);
    expect(await people.actions()).toEqual(
      expect.arrayContaining(['invite.create', 'session.create', 'invite.accept']),
    );
  });

  it('can be read by its holder before it is accepted, without any effect', async () => {
    const owner = await people.invited('owner', 'owner@example.com');
    const { body: made } = await owner.call('POST', 'invites', { role: 'admin' });
    const show = (token: unknown) => people.somebody().call('POST', 'invites/show', { token }, people.elsewhere());
    for (let look = 0; look < 2; look += 1) {
      expect(await show(made['invite_token'])).toMatchObject({
        status: 200,
        body: {
          object: 'invite_preview',
          account_name: 'people',
          role: 'admin',
          inviter: 'owner',
          expires: made['expires'],
        },
      });
    }
    expect((await owner.call('GET', 'invites')).body['data']).toHaveLength(1);
    await owner.call('DELETE', `invites/${String(made['invite_id'])}`);
    expect(await show(made['invite_token'])).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await show('ferry-inv-x')).status).toBe(404);
    const here = people.elsewhere();
    const statuses: number[] = [];
    for (let look = 0; look < 31; look += 1) {
      statuses.push((await people.somebody().call('POST', 'invites/show', { token: 'x' }, here)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('admits exactly one of several simultaneous uses', async () => {
    const { body } = await people.root.call('POST', 'invites', {});
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        people
          .somebody()
          .call(
            'POST',
            'invites/accept',
            { token: body['invite_token'], email: `${name}@example.com`, password: PASSWORD },
            people.elsewhere(),
          ),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
  });

  it("grants no role above its author's, and can be revoked", async () => {
    const admin = await people.invited('admin', 'admin@example.com');
    expect(await admin.call('POST', 'invites', { role: 'owner' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    const member = await people.invited('member', 'member@example.com', admin);
    expect((await member.call('POST', 'invites', {})).status).toBe(403);
    const { body } = await admin.call('POST', 'invites', {});
    expect((await admin.call('DELETE', `invites/${String(body['invite_id'])}`)).status).toBe(200);
    expect((await admin.call('DELETE', `invites/${String(body['invite_id'])}`)).status).toBe(404);
    expect(
      (
        await people
          .somebody()
          .call(
            'POST',
            'invites/accept',
            { token: body['invite_token'], email: 'c@example.com', password: PASSWORD },
            people.elsewhere(),
          )
      ).status,
    ).toBe(404);
  });
});

describe('/api/users', () => {
  it('keeps at least one owner', async () => {
    const owner = await people.invited('owner', 'owner@example.com');
    const id = await people.idOf(owner);
    for (const [method, body] of [
      ['PATCH', { role: 'admin' }],
      ['PATCH', { disabled: true }],
      ['DELETE', undefined],
    ] as const) {
      expect(await people.root.call(method, `users/${id}`, body)).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
    }
    await people.invited('owner', 'second@example.com');
    expect((await people.root.call('PATCH', `users/${id}`, { role: 'admin' })).status).toBe(200);
  });

  it("refuses changes to higher roles and promotions above one's own", async () => {
    const owner = await people.invited('owner', 'owner@example.com');
    const admin = await people.invited('admin', 'admin@example.com');
    const member = await people.invited('member', 'member@example.com');
    const [ownerId, memberId] = [await people.idOf(owner), await people.idOf(member)];
    const refused = { status: 403, body: { code: 'insufficient_role' } };
    expect(await admin.call('PATCH', `users/${ownerId}`, { name: 'x' })).toMatchObject(refused);
    expect(await admin.call('DELETE', `users/${ownerId}`)).toMatchObject(refused);
    expect(await admin.call('POST', `users/${ownerId}/reset-password`, {})).toMatchObject(refused);
    expect(await admin.call('PATCH', `users/${memberId}`, { role: 'owner' })).toMatchObject(refused);
    expect(await member.call('PATCH', `users/${memberId}`, { role: 'admin' })).toMatchObject(refused);
    expect((await member.call('GET', 'users')).body['data']).toHaveLength(3);
  });

  it('ends sessions at a role change, and all credentials of a disabled or deleted user', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const id = await people.idOf(ann);
    expect((await people.root.call('PATCH', `users/${id}`, { role: 'admin' })).body).toMatchObject({ role: 'admin' });
    expect((await ann.call('GET', 'whoami')).status).toBe(401);
    await ann.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere());
    expect((await ann.call('GET', 'whoami')).status).toBe(200);
    await people.root.call('PATCH', `users/${id}`, { disabled: true });
    expect((await ann.call('GET', 'whoami')).status).toBe(401);
    await people.root.call('PATCH', `users/${id}`, { disabled: false });
    expect(
      (await ann.call('POST', 'sign-in', { email: 'ann@example.com', password: PASSWORD }, people.elsewhere())).status,
    ).toBe(200);
    expect((await people.root.call('DELETE', `users/${id}`)).status).toBe(200);
    expect((await ann.call('GET', 'whoami')).status).toBe(401);
    expect((await people.root.call('PATCH', `users/${id}`, { name: 'x' })).status).toBe(404);
    expect(await people.actions()).toEqual(
      expect.arrayContaining(['user.role', 'user.disable', 'user.enable', 'user.delete']),
    );
  });
});
