/** People of an account: from the invite over the first command line to the password that was forgotten. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, Person } from '../support/relay/people.harness.js';
import { TestRelay } from '../support/process/test-relay.js';

describe('people', () => {
  let relay: TestRelay;

  beforeAll(async () => {
    relay = await TestRelay.start();
  }, 60_000);

  afterAll(async () => {
    await relay.stop();
  }, 30_000);

  async function invite(role: string, email: string): Promise<Person> {
    const { invite_token: token } = await relay.manage<{ invite_token: string }>('POST', '/invites', { role });
    const person = new Person(relay.baseUrl);
    const { status } = await person.call('POST', 'invites/accept', { token, email, password: PASSWORD });
    expect(status).toBe(201);
    return person;
  }

  it('are invited, and have the rights of their role', async () => {
    const member = await invite('member', 'member@example.com');
    expect(member.cookie).toMatch(/^ferry_session_dev=/);
    expect((await member.call('GET', 'clusters')).status).toBe(200);
    expect(await member.call('POST', 'clusters', { name: 'mine' })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    });
    const admin = await invite('admin', 'admin@example.com');
    expect((await admin.call('POST', 'clusters', { name: 'theirs' })).status).toBe(201);
  }, 60_000);

  it('cannot use a session instead of an API key, nor the reverse', async () => {
    const member = await invite('member', 'other@example.com');
    const models = await fetch(`${relay.baseUrl}/v1/models`, { headers: { cookie: member.cookie ?? '' } });
    expect([models.status, await models.text()]).toEqual([401, 'missing_or_malformed_credential']);
    expect((await new Person(relay.baseUrl, relay.apiKey).call('GET', 'whoami')).status).toBe(401);
    const both = await member.call('GET', 'whoami', undefined, {
      authorization: `Bearer ${relay.credentials.cli_token}`,
    });
    expect(both.status).toBe(400);
  }, 60_000);

  it('approve a command line, whose token ends with sign-out everywhere', async () => {
    const owner = await invite('owner', 'owner@example.com');
    const { body } = await new Person(relay.baseUrl).call('POST', 'device-login', { name: 'laptop' });
    expect((await owner.call('POST', 'device-login/approve', { user_code: body['user_code'] })).status).toBe(200);
    const granted = await new Person(relay.baseUrl).call('POST', 'device-login/token', {
      device_code: body['device_code'],
    });
    const commandLine = new Person(relay.baseUrl, String(granted.body['cli_token']));
    expect((await commandLine.call('GET', 'whoami')).body).toMatchObject({
      role: 'owner',
      user: { email: 'owner@example.com' },
    });
    await owner.call('POST', 'sign-out-everywhere', {});
    expect((await commandLine.call('GET', 'whoami')).status).toBe(401);
  }, 60_000);
});
