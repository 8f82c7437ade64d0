import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PASSWORD, PeopleHarness, type Person } from '../../../../test/support/relay/people.harness.js';

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

describe('device login of the command line', () => {
  const start = async (): Promise<{ device: string; code: string }> => {
    const { body } = await people.somebody().call('POST', 'device-login', { name: 'build server' }, people.elsewhere());
    return { device: String(body['device_code']), code: String(body['user_code']) };
  };
  const ask = (device: string): ReturnType<Person['call']> =>
    people.somebody().call('POST', 'device-login/token', { device_code: device });
  const letAskAgain = (): Promise<unknown> => people.database.query('UPDATE device_login SET asked_at = NULL');

  it("waits for approval and then issues the person's token, once", async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const { body } = await people.somebody().call('POST', 'device-login', { name: 'build server' }, people.elsewhere());
    expect(body).toEqual({
      device_code: expect.stringMatching(/^ferry-dev-/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: 'https://relay.test/console/device',
      verification_uri_complete: `https://relay.test/console/device?code=${String(body['user_code'])}`,
      approve_command: `ferry login approve ${String(body['user_code'])}`,
      expires_in: 600,
      interval: 5,
    });
    const [device, code] = [String(body['device_code']), String(body['user_code'])];
    expect(await ask(device)).toMatchObject({ status: 400, body: { code: 'authorization_pending' } });
    expect(await ask(device)).toMatchObject({ status: 400, body: { code: 'slow_down' } });

    expect(
      (await ann.call('GET', `device-login/${code.toLowerCase()}`, undefined, people.elsewhere())).body,
    ).toMatchObject({
      state: 'pending',
      client_name: 'build server',
      client_address: expect.stringMatching(/^198\.51\./),
    });
    expect(
      (await ann.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere())).body,
    ).toMatchObject({
      state: 'approved',
    });
    const granted = await ask(device);
    expect(granted).toMatchObject({
      status: 200,
      body: { account_id: people.accountId, user: { email: 'ann@example.com', role: 'member' } },
    });
    expect(await ask(device)).toMatchObject({ status: 400, body: { code: 'expired_token' } });

    const commandLine = people.somebody(String(granted.body['cli_token']));
    expect((await commandLine.call('GET', 'whoami')).body).toMatchObject({
      role: 'member',
      user: { email: 'ann@example.com' },
      credential: { kind: 'cli_token', name: 'build server' },
    });
    await ann.call('POST', 'sign-out-everywhere', {});
    expect((await commandLine.call('GET', 'whoami')).status).toBe(401);
  });

  it("issues a token that never exceeds the person's current role", async () => {
    await people.invited('owner', 'owner@example.com');
    const ann = await people.invited('admin', 'ann@example.com');
    const { device, code } = await start();
    expect(
      await ann.call('POST', 'device-login/approve', { user_code: code, role: 'owner' }, people.elsewhere()),
    ).toMatchObject({ status: 403, body: { code: 'insufficient_role' } });
    await ann.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere());
    const commandLine = people.somebody(String((await ask(device)).body['cli_token']));
    expect((await commandLine.call('GET', 'invites')).status).toBe(200);
    await people.root.call('PATCH', `users/${await people.idOf(ann)}`, { role: 'member' });
    expect((await commandLine.call('GET', 'invites')).status).toBe(403);
    expect((await commandLine.call('GET', 'whoami')).body).toMatchObject({ role: 'member' });
  });

  it('needs a recent sign-in from a session, but not from a CLI token', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    await people.database.query(`UPDATE session SET created_at = now() - interval '16 minutes'`);
    const { device, code } = await start();
    expect(await ann.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere())).toMatchObject({
      status: 403,
      body: { code: 'recent_sign_in_needed' },
    });
    expect(
      (await people.root.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere())).status,
    ).toBe(200);
    expect((await ask(device)).status).toBe(200);
  });

  it('device login of the command line is of the oldest owner when the token of the relay approves it', async () => {
    const approved = async (): Promise<Awaited<ReturnType<typeof ask>>> => {
      const { device, code } = await start();
      await people.root.call('POST', 'device-login/approve', { user_code: code, role: 'member' }, people.elsewhere());
      return ask(device);
    };
    // Without an owner, the one who would sign in with the link of `ferry up`.
    expect(await approved()).toMatchObject({
      status: 200,
      body: { user: { email: 'owner@localhost', role: 'owner' } },
    });

    await people.database.query('DELETE FROM "user"');
    await people.invited('owner', 'first@example.com');
    const second = await people.invited('owner', 'second@example.com');
    const { body } = await approved();
    expect(body).toMatchObject({ user: { email: 'first@example.com' } });
    const commandLine = people.somebody(String(body['cli_token']));
    expect((await commandLine.call('GET', 'whoami')).body).toMatchObject({ role: 'member' });
    expect(await commandLine.call('POST', 'local/console-link', {})).toMatchObject({ status: 403 });

    await second.call('POST', 'keys', { name: 'of the second' });
    expect((await commandLine.call('GET', 'keys')).body['data']).toEqual([]);
    await people.root.call('PATCH', `users/${await people.idOf(commandLine)}`, { disabled: true });
    expect((await commandLine.call('GET', 'whoami')).status).toBe(401);
  });

  it('device login of the command line is refused to a command line whose approver was signed out before it asked', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const { device, code } = await start();
    await ann.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere());
    await ann.call('POST', 'sign-out-everywhere', {});
    expect(await ask(device)).toMatchObject({ status: 400, body: { code: 'access_denied' } });
  });

  it('ends when denied, after five wrong codes, or at expiry', async () => {
    const denied = await start();
    await people.root.call('POST', 'device-login/deny', { user_code: denied.code }, people.elsewhere());
    expect(await ask(denied.device)).toMatchObject({ status: 400, body: { code: 'access_denied' } });

    const ann = await people.invited('member', 'ann@example.com');
    const tried = await start();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const { status } = await ann.call(
        'POST',
        'device-login/approve',
        { user_code: tried.code, role: 'owner' },
        people.elsewhere(),
      );
      expect(status).toBe(403);
    }
    expect(
      (await people.root.call('POST', 'device-login/approve', { user_code: tried.code }, people.elsewhere())).status,
    ).toBe(404);
    expect(await ask(tried.device)).toMatchObject({ status: 400, body: { code: 'access_denied' } });

    const late = await start();
    await people.database.query(`UPDATE device_login SET expires_at = now() - interval '1 second'`);
    expect(
      (await people.root.call('POST', 'device-login/approve', { user_code: late.code }, people.elsewhere())).status,
    ).toBe(404);
    await letAskAgain();
    expect(await ask(late.device)).toMatchObject({ status: 400, body: { code: 'expired_token' } });
  });

  it('limits guesses and open codes', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const guesses: number[] = [];
    for (const code of ['BBBB-BBBB', 'CCCC-CCCC', 'not a code', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG']) {
      guesses.push((await ann.call('POST', 'device-login/approve', { user_code: code }, people.elsewhere())).status);
    }
    expect(guesses).toEqual([404, 404, 404, 404, 404, 429]);
    // Nor with another session.
    const again = people.somebody();
    await people.signIn('ann@example.com', PASSWORD, people.elsewhere(), again);
    expect(
      (await again.call('POST', 'device-login/approve', { user_code: 'BBBBBBBB' }, people.elsewhere())).status,
    ).toBe(429);
    const here = people.elsewhere();
    const made: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      made.push((await people.somebody().call('POST', 'device-login', {}, here)).status);
    }
    expect(made.filter((status) => status === 200)).toHaveLength(10);
    expect(made.at(-1)).toBe(429);
  });
});
