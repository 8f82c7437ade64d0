/** Signing in, side by side, and out again, as a person does it. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock } from '../../../../test/support/clock/manual-clock.js';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { readCredentials } from '../../core/api/credentials-file.js';
import { statusShape } from '../status/status.shape.js';
import { awaitApproval } from './device-login.js';

const who = {
  account_id: 'acc_1',
  user: { user_id: 'usr_1', email: 'ann@example.com', name: 'Ann' },
  role: 'owner',
  credential: { kind: 'cli_token', id: 'clt_1', name: 'ferry on desk' },
  service: { name: 'ferry', version: '0.1.0' },
};
const code = {
  device_code: 'dc',
  user_code: 'BCDF-GHJK',
  verification_uri: 'https://relay.example/console/device',
  verification_uri_complete: 'https://relay.example/console/device?code=BCDF-GHJK',
  expires_in: 600,
  interval: 1,
};

let line: CommandLine;
beforeEach(async () => {
  line = await CommandLine.start();
  line.respond('GET /api/whoami', who);
  line.respond('POST /api/device-login', code);
  line.respond('POST /api/device-login/token', { cli_token: 'ferry-cli-new', account_id: 'acc_1', user: null });
});
afterEach(() => line.stop());

const credentials = (name = 'credentials.json') => readCredentials(path.join(line.directory, 'config', name));

describe('ferry login', () => {
  it('shows the code and the approving command, and stores the sign-in with mode 0600', async () => {
    const { code: exit, stdout, stderr } = await line.run(['login', line.baseUrl]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: '' });
    expect(stderr).toContain('BCDF-GHJK');
    expect(stderr).toContain('Approve it where ferry is signed in already: ferry login approve BCDF-GHJK\n');
    expect(stderr).toContain('or in a browser: https://relay.example/console/device?code=BCDF-GHJK\n');
    expect(stderr).toContain('as ann@example.com');
    expect(stderr).not.toContain('ferry-cli-new');
    expect(await credentials()).toEqual({
      version: 1,
      base_url: line.baseUrl,
      account_id: 'acc_1',
      cli_token: 'ferry-cli-new',
    });
    expect((await stat(path.join(line.directory, 'config', 'credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['login http://192.0.2.7:8787 --email ann@example.com', 'ferry login http://192.0.2.7:8787, and approve its code'],
    [
      'users accept http://192.0.2.7:8787/console/invite#ferry-inv-x --email ann@example.com',
      'ssh -N -L 8787:127.0.0.1:8787 192.0.2.7, and in another terminal ferry users accept TOKEN --base-url http://127.0.0.1:8787',
    ],
    [
      'passwd --base-url http://192.0.2.7:8787',
      'ssh -N -L 8787:127.0.0.1:8787 192.0.2.7, and in another terminal ferry login http://127.0.0.1:8787 --email EMAIL, then ferry passwd',
    ],
  ])('sends no password over plain http to another computer, and names another way: %s', async (words, way) => {
    const { code: exit, stdout, stderr } = await line.run([...words.split(' '), '--password-stdin']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('a password is not sent over plain http');
    expect(stderr).toContain(`  try: ${way}`);
  });

  it('says how one gets a key to chat with, where nobody can be asked', async () => {
    const first = await line.run(['login', line.baseUrl]);
    expect(first.stderr).toContain('next: ferry keys create NAME --save, then ferry chat');
  });

  it.each([
    ['answers', {}, /^The relay answers: http:\S+ \(Ferry 0\.1\.0\)$/],
    [
      'does not answer',
      { FERRY_BASE_URL: 'http://127.0.0.1:9' },
      /^The relay does not answer: http:\/\/127\.0\.0\.1:9$/,
    ],
  ])('ferry login is followed by a status that says first that the relay %s', async (_what, env, first) => {
    await line.run(['login', line.baseUrl]);
    expect((await line.run(['status'], env)).stdout.split('\n')[0]).toMatch(first);
  });

  it('keeps profiles apart, and shows the source of each value', async () => {
    await line.run(['login', line.baseUrl]);
    await line.run(['login', line.baseUrl, '--profile', 'work']);
    expect(await credentials('profiles/work.json')).toMatchObject({ cli_token: 'ferry-cli-new' });
    await line.run(['profiles', 'use', 'work']);
    const listed = JSON.parse((await line.run(['profiles', '--json'])).stdout) as { data: unknown[] };
    expect(listed.data).toMatchObject([
      { name: 'default', in_use: false },
      { name: 'work', in_use: true },
    ]);
    const shown = await line.run(['status', '--json'], { FERRY_API_KEY: 'sk-ferry-abcd1234' });
    const status = statusShape.parse(JSON.parse(shown.stdout));
    expect(status).toMatchObject({ signed_in: true, account_id: 'acc_1', user: 'ann@example.com', role: 'owner' });
    expect(status.settings).toMatchObject({
      profile: { value: 'work', source: 'profile' },
      base_url: { value: line.baseUrl, source: 'profile' },
      token: { value: '…-new', source: 'profile' },
      api_key: { value: '…1234', source: 'environment', from: 'FERRY_API_KEY' },
      output: { value: 'json', source: 'flag' },
    });
    expect((await line.run(['profiles', 'use', 'nobody'])).code).toBe(5);
    expect((await line.run(['profiles', 'use', 'wrok'])).stderr).toContain('  Did you mean work?\n');
    // Its token cannot be ended with a sign-in that is gone.
    expect(await line.run(['profiles', 'remove', 'work', '--yes'])).toMatchObject({
      code: 0,
      stderr: 'Forgot profile work. Its token is valid still; an owner ends it with: ferry users revoke-token\n',
    });
    expect((await line.run(['profiles', 'remove', 'work', '--yes'])).code).toBe(5);
  });

  it('ferry login does not say that nobody is signed in while the relay cannot be asked', async () => {
    const env = { FERRY_BASE_URL: 'http://127.0.0.1:1', FERRY_TOKEN: 'ferry-cli-x' };
    const { code, stdout } = await line.run(['status'], env);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^Signed in +not known: the relay does not answer$/m);
  });

  it('exits 2 without an address, and 3 when the relay is unreachable', async () => {
    expect((await line.run(['login'])).code).toBe(2);
    expect((await line.run(['login', 'http://127.0.0.1:9'])).code).toBe(3);
  });

  it.each([
    ['127.0.0.1:8787', 'http://127.0.0.1:8787'],
    ['relay.example', 'https://relay.example'],
    ['ftp://relay.example', 'a base URL looks like https://relay.example.com'],
  ])('completes %s, which is no address', async (given, hint) => {
    expect((await line.run(['login', given])).stderr).toBe(`error: the address is not a base URL\n  try: ${hint}\n`);
  });

  it('revokes the token at logout, and deletes it', async () => {
    line.respond('POST /api/sign-out', { object: 'signed_out', everywhere: false });
    await line.run(['login', line.baseUrl]);
    expect((await line.run(['logout'])).code).toBe(0);
    expect(line.received.at(-1)).toMatchObject({
      route: 'POST /api/sign-out',
      authorization: 'Bearer ferry-cli-new',
    });
    expect(await credentials()).toBeUndefined();
    expect((await line.run(['logout'])).code).toBe(4);
    expect((await line.run(['whoami'])).code).toBe(4);
  });

  it('shows how to renew an expired sign-in', async () => {
    await line.run(['login', line.baseUrl]);
    line.respond('GET /api/whoami', { code: 'invalid_credential', detail: 'Unknown token.' }, 401);
    const { code: exit, stdout, stderr } = await line.run(['status']);
    expect(exit).toBe(4);
    expect(stdout).toMatch(/^Signed in +no$/m);
    expect(stderr).toContain(`ferry login ${line.baseUrl}`);
  });

  it('asks for confirmation before it approves a code', async () => {
    line.respond('POST /api/device-login/approve', { object: 'device_login', user_code: 'BCDF-GHJK' });
    line.respond('GET /api/device-login/BCDF-GHJK', { client_name: 'ferry on desk', client_address: '10.0.0.7' });
    const refused = await line.ferry('login approve BCDF-GHJK');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('ferry on desk (10.0.0.7)');
    expect((await line.ferry('login approve BCDF-GHJK --yes')).code).toBe(0);
    expect(line.received.at(-1)?.body).toBe('{"user_code":"BCDF-GHJK"}');
  });
});

describe('waiting for approval (RFC 8628)', () => {
  const waitWith = async (responses: readonly [number, object][], expiresIn = 600) => {
    const delays: number[] = [];
    const clock = new ManualClock();
    const pending = [...responses];
    const api = new ManagementApi({ baseUrl: 'http://relay' }, () => {
      const [status, body] = pending.shift() ?? [400, { code: 'authorization_pending' }];
      return Promise.resolve(Response.json(body, { status }));
    });
    const grant = await awaitApproval(
      api,
      { ...code, interval: 5, expires_in: expiresIn },
      {
        clock,
        delay: (milliseconds) => {
          delays.push(milliseconds);
          clock.advance(milliseconds);
          return Promise.resolve();
        },
      },
    ).catch((error: unknown) => error);
    return { grant, delays };
  };

  it("polls at the relay's interval, slower after slow_down", async () => {
    const { grant, delays } = await waitWith([
      [400, { code: 'authorization_pending' }],
      [400, { code: 'slow_down' }],
      [200, { cli_token: 't', account_id: 'acc_1' }],
    ]);
    expect(grant).toMatchObject({ cli_token: 't' });
    expect(delays).toEqual([5_000, 5_000, 10_000]);
  });

  it.each([
    [[400, { code: 'access_denied' }], 'access_denied'],
    [[400, { code: 'expired_token' }], 'expired_token'],
  ] as const)('ends with 4 at %p', async (response, expected) => {
    expect((await waitWith([[...response]])).grant).toMatchObject({ code: expected, exitCode: 4 });
  });

  it('stops when the code has expired', async () => {
    const { grant, delays } = await waitWith([], 12);
    expect(grant).toMatchObject({ code: 'expired_token', exitCode: 4 });
    expect(delays).toHaveLength(3);
  });
});
