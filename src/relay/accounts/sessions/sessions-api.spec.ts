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

interface Listed {
  readonly session_id: string;
  readonly kind: string;
  readonly current: boolean;
}

const listed = async (person: Person): Promise<readonly Listed[]> =>
  (await person.call('GET', 'sessions')).body['data'] as readonly Listed[];

async function signedInElsewhere(email: string): Promise<Person> {
  const person = people.somebody();
  await person.call('POST', 'sign-in', { email, password: PASSWORD }, { ...people.elsewhere(), 'user-agent': 'phone' });
  return person;
}

/** A command line of this person. */
async function commandLineOf(person: Person): Promise<Person> {
  const { body } = await people.somebody().call('POST', 'device-login', { name: 'laptop' }, people.elsewhere());
  await person.call('POST', 'device-login/approve', { user_code: body['user_code'] }, people.elsewhere());
  const granted = await people.somebody().call('POST', 'device-login/token', { device_code: body['device_code'] });
  return people.somebody(String(granted.body['cli_token']));
}

describe('the sessions of a user', () => {
  it('the sessions of a user are listed with browser, address and time, and without those of others', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    await people.invited('member', 'bob@example.com');
    const phone = await signedInElsewhere('ann@example.com');
    const commandLine = await commandLineOf(ann);
    const sessions = await listed(phone);
    expect(sessions).toHaveLength(3);
    expect(sessions).toContainEqual({
      object: 'session',
      session_id: expect.stringMatching(/^ses_[0-9A-Za-z]{12}$/),
      kind: 'session',
      name: null,
      created: expect.any(Number),
      last_used: expect.any(Number),
      expires: null,
      ip: expect.stringMatching(/^198\.51\./),
      user_agent: 'phone',
      current: true,
    });
    expect(sessions.at(-1)).toMatchObject({ kind: 'cli_token', name: 'laptop', current: false, last_used: null });
    expect((await listed(commandLine)).filter(({ current }) => current)).toEqual([
      expect.objectContaining({ kind: 'cli_token' }),
    ]);
  });

  it('the sessions of a user are ended one by one, with their cookie', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const phone = await signedInElsewhere('ann@example.com');
    const commandLine = await commandLineOf(ann);
    const [phoneSession] = (await listed(phone)).filter(({ current }) => current);
    expect((await ann.call('DELETE', `sessions/${phoneSession!.session_id}`)).status).toBe(200);
    expect((await phone.call('GET', 'whoami')).status).toBe(401);
    expect((await commandLine.call('GET', 'whoami')).status).toBe(200);
    const [token] = (await listed(ann)).filter(({ kind }) => kind === 'cli_token');
    expect((await ann.call('DELETE', `sessions/${token!.session_id}`)).status).toBe(200);
    expect((await commandLine.call('GET', 'whoami')).status).toBe(401);
    const [own] = await listed(ann);
    expect((await ann.call('DELETE', `sessions/${own!.session_id}`)).status).toBe(200);
    expect(ann.cookie).toBeUndefined();
  });

  it('sessions of another user are not found, like unknown ones', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const bob = await people.invited('owner', 'bob@example.com');
    const [hers] = await listed(ann);
    for (const id of [hers!.session_id, 'ses_aaaaaaaaaaaa', 'cli_aaaaaaaaaaaa', 'x']) {
      expect(await bob.call('DELETE', `sessions/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    expect((await ann.call('GET', 'whoami')).status).toBe(200);
  });

  it('sessions that have ended are not listed', async () => {
    const ann = await people.invited('member', 'ann@example.com');
    const phone = await signedInElsewhere('ann@example.com');
    await people.database.query(
      `UPDATE session SET last_seen_at = now() - interval '13 hours' WHERE user_agent = 'phone'`,
    );
    expect((await phone.call('GET', 'whoami')).status).toBe(401);
    expect(await listed(ann)).toHaveLength(1);
  });

  it('the sessions of a user do not exist for the token of the relay', async () => {
    expect((await people.root.call('GET', 'sessions')).status).toBe(400);
  });
});
