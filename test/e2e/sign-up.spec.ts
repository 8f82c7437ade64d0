// Own relays: their settings of sign-up differ, and one is stopped.
/** Sign-up as configured by the relay's owner, and recovery of a locked-out owner on the relay's computer. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ferryHere } from '../support/process/ferry-here.js';
import { ferry, repositoryRoot } from '../support/process/ferry-process.js';
import { PASSWORD, Person, type ApiResponse } from '../support/relay/people.harness.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestRelay } from '../support/process/test-relay.js';

let relay: TestRelay;

/** Before the tests of the block; stopped after them. */
function startRelay(env: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    relay = await TestRelay.start({ env });
  }, 60_000);

  afterAll(() => relay.stop(), 30_000);
}

const signUp = (person: Person, email: string): Promise<ApiResponse> =>
  person.call('POST', 'sign-up', { email, password: PASSWORD, name: email });

const invite = async (): Promise<string> => {
  const { code, stdout, stderr } = await ferryHere(['users', 'invite', '--role', 'owner'], relay.commandEnv);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim().split('#')[1] ?? '';
};

describe('open sign-up', () => {
  let shared: Tenant;

  shareRelay((tenant) => (shared = tenant));

  it('gives each user an isolated account', async () => {
    const [ann, ben] = [new Person(shared.baseUrl), new Person(shared.baseUrl)];
    // Others sign up there, too.
    const [emailOfAnn, emailOfBen] = [`ann-${randomUUID()}@example.com`, `ben-${randomUUID()}@example.com`];
    expect((await signUp(ann, emailOfAnn)).status).toBe(201);
    expect((await signUp(ben, emailOfBen)).status).toBe(201);
    expect((await ann.call('GET', 'whoami')).body).toMatchObject({ role: 'owner', user: { email: emailOfAnn } });
    // Each account has its first cluster before any computer joins.
    expect((await ann.call('GET', 'clusters')).body['data']).toMatchObject([{ name: 'home', nodes: 0 }]);
    expect((await ann.call('POST', 'clusters', { name: 'lab' })).status).toBe(201);
    const seen = (await ben.call('GET', 'clusters')).body['data'] as { name: string }[];
    expect(seen.map(({ name }) => name)).toEqual(['home']);
    // The key of a new account works at once, for its own models only.
    const { body } = await ann.call('POST', 'keys', { name: 'app' });
    const models = await shared.fetch('/v1/models', { headers: { authorization: `Bearer ${String(body['key'])}` } });
    expect([models.status, await models.json()]).toEqual([200, { object: 'list', data: [] }]);
    // Signing up with an existing address returns nobody's session.
    const again = await signUp(new Person(shared.baseUrl), emailOfAnn);
    expect([again.status >= 400, again.headers.getSetCookie()]).toEqual([true, []]);
  }, 90_000);
});

describe('closed sign-up', () => {
  startRelay({ FERRY_SIGN_UP: 'closed' });

  it('refuses sign-ups and invites without an account', async () => {
    expect(await signUp(new Person(relay.baseUrl), 'ann@example.com')).toMatchObject({
      status: 403,
      body: { code: 'sign_up_closed' },
    });
    const refused = await ferryHere(['users', 'invite', '--json'], relay.commandEnv);
    expect([refused.code === 0, refused.stdout]).toEqual([false, '']);
    expect(JSON.parse(refused.stderr)).toMatchObject({ error: { code: 'sign_up_closed' } });
  }, 60_000);
});

describe('a relay that its owner invites people to', () => {
  startRelay();

  // First: the account has no user yet.
  describe('ferry users create-owner', () => {
    it('creates the first user of a running relay, who signs in with the printed password', async () => {
      const email = 'first@example.com';
      const created = await ferry(['users', 'create-owner', email], relay.serveEnv);
      expect([created.code, created.stderr]).toEqual([0, expect.stringContaining(`${email} is an owner now`)]);
      const { status, body } = await new Person(relay.baseUrl).call('POST', 'sign-in', {
        email,
        password: created.stdout.trim(),
      });
      expect([status, body]).toEqual([200, expect.objectContaining({ role: 'owner' })]);
      const again = await ferry(['users', 'create-owner', email], relay.serveEnv);
      expect([again.code, again.stdout]).toEqual([1, '']);
      expect(again.stderr).toMatch(/^error: .*e-mail address/);
    }, 90_000);
  });

  describe('an invite', () => {
    it('an invite is accepted by the command line with the printed link', async () => {
      const { stdout } = await ferryHere(['users', 'invite'], relay.commandEnv);
      const home = await mkdtemp(path.join(os.tmpdir(), 'ferry-invite-'));
      const accept = ['users', 'accept', stdout.trim(), '--email', 'ann@example.com', '--password-stdin'];
      expect(await ferry(accept, { FERRY_CONFIG_DIR: home }, `${PASSWORD}\n`)).toMatchObject({ code: 0 });
      const who = await ferryHere(['whoami', '--json'], { FERRY_CONFIG_DIR: home });
      expect(JSON.parse(who.stdout)).toMatchObject({ role: 'member', user: { email: 'ann@example.com' } });
      await rm(home, { recursive: true, force: true });
    }, 60_000);
  });

  describe('ferry users reset-password', () => {
    let email: string;

    beforeEach(() => {
      email = `owner-${randomUUID()}@example.com`;
    });

    const signIn = (password: string): Promise<ApiResponse> =>
      new Person(relay.baseUrl).call('POST', 'sign-in', { email, password });

    async function lockedOutOwner(): Promise<Person> {
      const owner = new Person(relay.baseUrl);
      const token = await invite();
      expect((await owner.call('POST', 'invites/accept', { token, email, password: PASSWORD })).status).toBe(201);
      return owner;
    }

    it("resets an owner's password beside the running relay, and ends all sessions", async () => {
      const owner = await lockedOutOwner();
      const reset = await ferry(['users', 'reset-password', email], relay.serveEnv);
      expect([reset.code, reset.stderr]).toEqual([0, expect.stringContaining('signed out everywhere')]);
      const temporary = reset.stdout.trim();
      expect(temporary).toMatch(/^\S{12,}$/);
      expect((await owner.call('GET', 'whoami')).status).toBe(401);
      expect((await signIn(PASSWORD)).status).toBe(401);
      expect((await signIn(temporary)).status).toBe(200);
      const trail = await ferryHere(['audit', '--action', 'user', '--json'], relay.commandEnv);
      expect(trail.stdout).toContain('reset');
      expect(trail.stdout).not.toContain(temporary);
    }, 90_000);

    it('reads a password from stdin while the relay is down', async () => {
      await lockedOutOwner();
      await relay.process.stop();
      const entry = path.join(repositoryRoot, 'bin/ferry.js');
      const child = spawn(process.execPath, [entry, 'users', 'reset-password', email, '--password-stdin'], {
        env: { PATH: process.env['PATH'], ...relay.serveEnv },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const reported = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (reported.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (reported.stderr += text));
      child.stdin.end('another long enough password\n');
      expect([(await once(child, 'close'))[0], reported]).toEqual([
        0,
        { stdout: '', stderr: `${email} has a new password, and is signed out everywhere.\n` },
      ]);
      await relay.restart();
      expect((await signIn('another long enough password')).status).toBe(200);
      expect((await signIn(PASSWORD)).status).toBe(401);
    }, 90_000);

    it('exits 5 for an unknown address', async () => {
      const { code, stdout, stderr } = await ferry(['users', 'reset-password', 'nobody@example.com'], relay.serveEnv);
      expect([code, stdout]).toEqual([5, '']);
      expect(stderr).toBe('error: There is no user with this e-mail address.\n  try: ferry users\n');
    }, 60_000);
  });
});
