// Own relay: its first account, with its owner.
/** Users of an account: invites, the first command line, and forgotten passwords. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PASSWORD, Person } from '../support/relay/people.harness.js';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, type CommandResult } from '../support/process/ferry-process.js';
import { TestRelay } from '../support/process/test-relay.js';

describe('users', () => {
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

  it('users are invited, and have the rights of their role', async () => {
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

  it('users cannot use a session instead of an API key, nor the reverse', async () => {
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

  describe('on the command line', () => {
    let home: string;
    beforeAll(async () => {
      home = await mkdtemp(path.join(os.tmpdir(), 'ferry-people-'));
    });
    afterAll(async () => {
      await rm(home, { recursive: true, force: true });
    });
    const email = 'grace@example.com';
    const newPassword = 'a different password';
    /** The new user's computer, with its own sign-ins only. */
    const asUser = (words: string, input?: string): Promise<CommandResult> =>
      input === undefined
        ? ferryHere(words.split(' '), { FERRY_CONFIG_DIR: home })
        : ferry(words.split(' '), { FERRY_CONFIG_DIR: home }, input);
    const asOwner = (words: string): Promise<CommandResult> =>
      ferryHere(words.split(' '), { FERRY_BASE_URL: relay.baseUrl, FERRY_TOKEN: relay.credentials.cli_token });

    it('users on the command line accept an invite, change their password and sign in with it, until they are disabled', async () => {
      const { invite_token: token } = await relay.manage<{ invite_token: string }>('POST', '/invites', {});
      const accept = `users accept ${token} --base-url ${relay.baseUrl} --email ${email} --password-stdin`;
      expect(await asUser(accept, `${PASSWORD}\n`)).toMatchObject({ code: 0 });
      expect((await asUser('whoami')).stdout).toContain(email);

      const changed = await asUser('passwd --password-stdin', `${PASSWORD}\n${newPassword}\n`);
      expect({ code: changed.code, stderr: changed.stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('password is changed'),
      });
      expect((await asUser('whoami')).stdout).toContain(email);

      await asUser('logout');
      const signIn = `login ${relay.baseUrl} --email ${email} --password-stdin`;
      expect(await asUser(signIn, `${PASSWORD}\n`)).toMatchObject({ code: 4 });
      expect(await asUser(signIn, `${newPassword}\n`)).toMatchObject({ code: 0 });

      expect(await asOwner(`users disable ${email}`)).toMatchObject({ code: 0 });
      expect(await asUser('whoami')).toMatchObject({ code: 4 });
      expect(await asOwner(`users enable ${email}`)).toMatchObject({ code: 0 });
      expect(await asUser(signIn, `${newPassword}\n`)).toMatchObject({ code: 0 });
    }, 90_000);

    it('users on the command line get an error that names the missing argument instead of a stack trace', async () => {
      expect(await asUser(`login ${relay.baseUrl} --email ${email} --password-stdin`, '\n')).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('there is no password on stdin'),
      });
      expect(await asUser(`users accept abc --email ${email}`)).toMatchObject({ code: 2 });
    }, 30_000);
  });
});
