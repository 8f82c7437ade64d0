import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PASSWORD, PeopleHarness } from '../../../../test/support/relay/people.harness.js';
import { createAuditEventId } from '../../../kernel/ids.js';
import { CredentialsService } from '../credentials.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

let people: PeopleHarness;

beforeAll(async () => {
  people = await PeopleHarness.start();
}, 120_000);

afterAll(async () => {
  await people.close();
});

beforeEach(async () => {
  await people.database.query('DELETE FROM invite');
  await people.database.query('DELETE FROM "user"');
});

describe('an invite', () => {
  it('an invite is given as a link and a command, admits one person, and signs them in', async () => {
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
    const newUser = { token, email: ' Ann@Example.com', password: PASSWORD, name: 'Ann' };
    const accepted = await person.call(
      'POST',
      'invites/accept',
      { ...newUser, email: 'Ann@Example.com' },
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
      .call('POST', 'invites/accept', { ...newUser, email: 'b@example.com' }, people.elsewhere());
    expect(again).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect((await people.root.call('GET', 'invites')).body['data']).toEqual([]);
    expect(await people.actions()).toEqual(
      expect.arrayContaining(['invite.create', 'session.create', 'invite.accept']),
    );
  });

  it('an invite can be read by its holder before it is accepted, without any effect', async () => {
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
    const responses = await Promise.all(
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
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 404, 404]);
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

describe('an invite ends with its creator', () => {
  const open = async (): Promise<unknown[]> =>
    ((await people.root.call('GET', 'invites')).body['data'] as { invite_id: string }[]).map(({ invite_id: id }) => id);

  it('when the creator may not give its role any more, and only then', async () => {
    const ann = await people.invited('owner', 'ann@example.com');
    await people.invited('owner', 'boss@example.com');
    const { body: forOwner } = await ann.call('POST', 'invites', { role: 'owner' });
    const { body: forMember } = await ann.call('POST', 'invites', { role: 'member' });
    const id = await people.idOf(ann);
    await people.root.call('PATCH', `users/${id}`, { role: 'admin' });
    expect(await open()).toEqual([forMember['invite_id']]);
    expect((await people.accept(forOwner['invite_token'], 'x@example.com')).status).toBe(404);
    expect((await people.accept(forMember['invite_token'], 'y@example.com')).status).toBe(201);
    // Nor does it come back with the role.
    await people.root.call('PATCH', `users/${id}`, { role: 'owner' });
    expect((await people.accept(forOwner['invite_token'], 'z@example.com')).status).toBe(404);
  });

  it('an invite ends with its creator also when the database still has it', async () => {
    const ann = await people.invited('admin', 'ann@example.com');
    const { body } = await ann.call('POST', 'invites', { role: 'admin' });
    await people.database.query(`UPDATE "user" SET role = 'member' WHERE email = 'ann@example.com'`);
    expect(await open()).not.toContain(body['invite_id']);
    expect((await people.accept(body['invite_token'], 'x@example.com')).status).toBe(404);
    const shown = await people
      .somebody()
      .call('POST', 'invites/show', { token: body['invite_token'] }, people.elsewhere());
    expect(shown.status).toBe(404);
  });

  it('an invite ends with its creator is not made with a session that ends meanwhile', async () => {
    const ann = await people.invited('admin', 'ann@example.com');
    const credentials = people.management.app.get(CredentialsService);
    const check = credentials.requireRecentSignIn.bind(credentials);
    const during = jest.spyOn(credentials, 'requireRecentSignIn').mockImplementation(async (actor) => {
      await check(actor);
      await people.database.query('DELETE FROM session');
    });
    expect((await ann.call('POST', 'invites', {})).status).toBe(401);
    during.mockRestore();
  });
});

describe('what lets somebody in needs a recent sign-in of a session', () => {
  it('an invite, and a reset of a password', async () => {
    const ann = await people.invited('admin', 'ann@example.com');
    const bob = await people.idOf(await people.invited('member', 'bob@example.com'));
    await people.database.query(`UPDATE session SET created_at = now() - interval '16 minutes'`);
    const refused = { status: 403, body: { code: 'recent_sign_in_needed' } };
    expect(await ann.call('POST', 'invites', {})).toMatchObject(refused);
    expect(await ann.call('POST', `users/${bob}/reset-password`, {})).toMatchObject(refused);
    expect((await people.root.call('POST', 'invites', {})).status).toBe(201);
    expect((await people.root.call('POST', `users/${bob}/reset-password`, {})).status).toBe(200);
  });
});

describe('a password that somebody else sets', () => {
  it('a password that somebody else sets is never one’s own', async () => {
    const ann = await people.invited('owner', 'ann@example.com');
    const id = await people.idOf(ann);
    expect(await ann.call('POST', `users/${id}/reset-password`, {})).toMatchObject({ status: 409 });
    expect((await ann.call('GET', 'whoami')).status).toBe(200);
  });

  it('leaves no session of a sign-in at the same time', async () => {
    await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('member', 'ann@example.com');
    const id = await people.idOf(ann);
    const hasher = people.management.app.get(PasswordHasher);
    const verify = hasher.verify.bind(hasher);
    const during = jest.spyOn(hasher, 'verify').mockImplementation(async (hash, password) => {
      const verified = await verify(hash, password);
      await people.root.call('POST', `users/${id}/reset-password`, {});
      return verified;
    });
    expect(await people.signIn('ann@example.com', PASSWORD)).toMatchObject({ status: 401 });
    during.mockRestore();
    expect(await people.database.query('SELECT 1 FROM session WHERE user_id = $1', [id])).toEqual([]);
  });

  it('a password that somebody else sets is not undone by a change of the password at the same time', async () => {
    await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('member', 'ann@example.com');
    const id = await people.idOf(ann);
    const hasher = people.management.app.get(PasswordHasher);
    const verify = hasher.verify.bind(hasher);
    let temporary = '';
    const during = jest.spyOn(hasher, 'verify').mockImplementationOnce(async (hash, password) => {
      const verified = await verify(hash, password);
      const { body } = await people.root.call('POST', `users/${id}/reset-password`, {});
      temporary = String(body['temporary_password']);
      return verified;
    });
    const change = { current_password: PASSWORD, new_password: 'the password of a thief' };
    expect((await ann.call('POST', 'password', change, people.elsewhere())).status).toBe(401);
    during.mockRestore();
    expect((await people.signIn('ann@example.com', 'the password of a thief')).status).toBe(401);
    expect((await people.signIn('ann@example.com', temporary)).status).toBe(200);
  });
});

describe('/api/cli-tokens', () => {
  it('shows all command lines to owners only, who can revoke them', async () => {
    const owner = await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('admin', 'ann@example.com');
    const annId = await people.idOf(ann);
    const { body: started } = await people
      .somebody()
      .call('POST', 'device-login', { name: 'server' }, people.elsewhere());
    await ann.call('POST', 'device-login/approve', { user_code: started['user_code'] }, people.elsewhere());
    const { body: granted } = await people
      .somebody()
      .call('POST', 'device-login/token', { device_code: started['device_code'] });
    const commandLine = people.somebody(String(granted['cli_token']));

    expect((await ann.call('GET', 'cli-tokens')).status).toBe(403);
    const listed = (await owner.call('GET', 'cli-tokens')).body['data'] as Record<string, unknown>[];
    expect(listed).toEqual([
      expect.objectContaining({ object: 'cli_token', name: 'server', user_id: annId, role: 'admin' }),
      expect.objectContaining({ name: 'quickstart', user_id: null, role: 'owner', expires: null }),
    ]);
    expect(JSON.stringify(listed)).not.toContain(String(granted['cli_token']));

    const path = `cli-tokens/${String(listed[0]?.['cli_token_id'])}`;
    expect((await ann.call('DELETE', path)).status).toBe(403);
    expect(await owner.call('DELETE', path)).toMatchObject({ status: 200, body: { name: 'server' } });
    expect((await commandLine.call('GET', 'whoami')).status).toBe(401);
    expect((await owner.call('DELETE', path)).status).toBe(404);
    expect(await people.actions()).toContain('cli-token.revoke');
  });

  it('/api/cli-tokens are of a person, but for the one of the relay', async () => {
    const insert = (bootstrap: boolean, userId: string | null): Promise<unknown> =>
      people.database.query(
        `INSERT INTO cli_token (account_id, id, digest, name, last4, user_id, role, bootstrap)
         VALUES ($1, 'cli_nobody', '\\x00', 'nobody', 'last', $2, 'member', $3)`,
        [people.accountId, userId, bootstrap],
      );
    await expect(insert(false, null)).rejects.toThrow('cli_token_owner_check');
    const ann = await people.idOf(await people.invited('member', 'ann@example.com'));
    await expect(insert(true, ann)).rejects.toThrow('cli_token_owner_check');
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

  it('erases the name and address of a removed user, and nothing else', async () => {
    const { database } = people;
    const owner = await people.invited('owner', 'olga@example.com');
    const ann = await people.invited('admin', 'erased@example.com');
    const id = await people.idOf(ann);
    expect((await ann.call('POST', 'invites', { role: 'member' })).status).toBe(201);
    await people.root.call('PATCH', `users/${id}`, { name: 'Ann Smith' });
    await database.query(
      `INSERT INTO usage_name (account_id, kind, id, name, seen_at) VALUES ($1, 'key', $2, 'Website (Ann Smith)', now())`,
      [people.accountId, id],
    );
    // As others have recorded them.
    const details = {
      'request.cancel': { model: 'm', key: 'Website (Ann Smith)', key_id: id, node: 'n' },
      'cli-token.revoke': { name: 'laptop of Ann Smith', user_id: id },
    };
    for (const [action, detail] of Object.entries(details))
      await database.query(
        `INSERT INTO audit_event (account_id, id, actor_kind, action, object_kind, object_id, detail)
         VALUES ($1, $2, 'session', $3, 'any', 'any', $4)`,
        [people.accountId, createAuditEventId(), action, JSON.stringify(detail)],
      );
    const trail = async (): Promise<readonly Record<string, unknown>[]> =>
      database.query(`SELECT * FROM audit_event WHERE account_id = $1 ORDER BY position`, [people.accountId]);
    const known = async (): Promise<string> =>
      JSON.stringify([await trail(), await database.query('SELECT name FROM usage_name')]);

    expect(await owner.call('POST', `users/${id}/erase`, {})).toMatchObject({ status: 409 });
    expect((await people.root.call('DELETE', `users/${id}`)).status).toBe(200);
    const before = await trail();
    expect(await known()).toMatch(/erased@example\.com.*Ann Smith/);
    const admin = await people.invited('admin', 'second@example.com');
    expect(await admin.call('POST', `users/${id}/erase`, {})).toMatchObject({ status: 403 });
    const pseudonym = `removed-${id.slice(-8).toLowerCase()}`;
    expect(await owner.call('POST', `users/${id}/erase`, {})).toMatchObject({
      status: 200,
      body: { object: 'erased_user', user_id: id, pseudonym },
    });

    expect(await known()).not.toMatch(/erased@example|Ann Smith/i);
    expect(await known()).toContain(`Website (${pseudonym})`);
    const withoutNames = ({ actor_name: _name, detail: _detail, ...rest }: Record<string, unknown>): object => rest;
    expect((await trail()).slice(0, before.length).map(withoutNames)).toEqual(before.map(withoutNames));
    expect(await people.actions()).toContain('user.erase');
    expect(await owner.call('POST', `users/usr_${'x'.repeat(32)}/erase`, {})).toMatchObject({ status: 404 });
  });

  it('keeps the audit trail append-only also for an erasure', async () => {
    const change = (column: string): Promise<unknown> =>
      people.database.transaction(async (manager) => {
        await manager.query(`SELECT set_config('ferry.audit_erasure', 'on', true)`);
        await manager.query(`UPDATE audit_event SET ${column} = 'x'`);
      });
    await people.invited('member', 'ann@example.com');
    await expect(change('action')).rejects.toThrow('append-only');
    await expect(people.database.query(`UPDATE audit_event SET actor_name = 'x'`)).rejects.toThrow('append-only');
  });
});
