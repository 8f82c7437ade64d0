import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RelayHarness } from '../../../../test/support/relay/relay.harness.js';
import { createTenant, type Tenant } from '../../../../test/support/relay/tenants.js';
import { joinByDeviceCode, type DeviceCode } from '../../../agent/enrolment/join-by-device-code.js';
import { DeviceCodesStore } from '../device-codes/device-codes.store.js';

let relay: RelayHarness;
let tenant: Tenant;
let directory: string;
let ended: AbortController;

beforeAll(async () => {
  relay = await RelayHarness.start({ FERRY_TRUSTED_PROXIES: '127.0.0.0/8' });
}, 120_000);
afterAll(async () => {
  await relay.stop();
});
/** Another account for each test: guesses are counted by account. */
let tenants = 0;
beforeEach(async () => {
  tenants += 1;
  tenant = await createTenant(relay, `tenant${String(tenants)}`);
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-devices-'));
  ended = new AbortController();
});
afterEach(async () => {
  ended.abort();
  await rm(directory, { recursive: true, force: true });
});

let addresses = 0;
async function call(
  who: string | null,
  method: string,
  route: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  addresses += 1;
  const response = await fetch(`${relay.url}/api/${route}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `198.51.100.${String(addresses)}`,
      ...(who === null ? {} : tenant.credentials[who]),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function login(): Promise<{ readonly code: string; readonly device: string }> {
  const { body } = await call(null, 'POST', 'device-login', { name: 'laptop' });
  return { code: String(body['user_code']), device: String(body['device_code']) };
}

/** The relay accepts faster polls than it asks for; five seconds of waiting show nothing more. */
const soon = (_ms: number, signal: AbortSignal | undefined): Promise<unknown> => delay(50, undefined, { signal });

/** A computer that asks to become a node until the test is over. */
async function computer() {
  let shown: (code: DeviceCode) => void = () => undefined;
  const code = new Promise<DeviceCode>((resolve) => (shown = resolve));
  const joined = joinByDeviceCode({
    relayUrl: relay.url,
    name: 'headless',
    dataDirectory: path.join(directory, 'node'),
    show: shown,
    signal: ended.signal,
    delay: soon,
  });
  joined.catch(() => undefined);
  return { code: await code, joined };
}

describe('a code of a command line', () => {
  it('a code of a command line is shown, and approved by any member', async () => {
    const { code, device } = await login();
    expect(await call('session of member', 'GET', `devices/${code.toLowerCase()}`)).toMatchObject({
      status: 200,
      body: {
        object: 'device',
        type: 'login',
        user_code: code,
        name: 'laptop',
        ip: expect.stringMatching(/^198\.51\.100\./),
        fingerprint: null,
        role_needed: 'member',
      },
    });
    expect(await call('session of member', 'POST', `devices/${code}/approve`, {})).toMatchObject({
      status: 200,
      body: { state: 'approved', type: 'login', node: null },
    });
    const granted = await call(null, 'POST', 'device-login/token', { device_code: device });
    expect(granted).toMatchObject({ status: 200, body: { user: { role: 'member' } } });
    expect((await call('session of member', 'GET', `devices/${code}`)).status).toBe(404);
  });

  it('a code of a command line is denied', async () => {
    const { code, device } = await login();
    expect(await call('session of member', 'POST', `devices/${code}/deny`, {})).toMatchObject({
      status: 200,
      body: { object: 'device', state: 'denied', user_code: code },
    });
    expect((await call(null, 'POST', 'device-login/token', { device_code: device })).body).toMatchObject({
      code: 'access_denied',
    });
  });
});

describe('a code of a computer', () => {
  it('a code of a computer is shown with its fingerprint in words, which activate the node', async () => {
    const { code, joined } = await computer();
    expect(code.verificationUriComplete).toBe(`https://relay.test/console/device?code=${code.userCode}`);
    const shown = await call('session of admin', 'GET', `devices/${code.userCode}`);
    expect(shown).toMatchObject({
      status: 200,
      body: { type: 'node', name: 'headless', fingerprint: code.fingerprint, role_needed: 'admin' },
    });
    expect((shown.body['fingerprint_words'] as string[]).join('-')).toBe(code.fingerprint);
    const wrong = { fingerprint: 'able able able able able able' };
    expect(await call('session of admin', 'POST', `devices/${code.userCode}/approve`, wrong)).toMatchObject({
      status: 400,
      body: { param: 'fingerprint' },
    });
    const right = { fingerprint: code.fingerprint, name: 'attic' };
    expect(await call('session of admin', 'POST', `devices/${code.userCode}/approve`, right)).toMatchObject({
      status: 200,
      body: { state: 'approved', node: { name: 'attic', status: 'active' } },
    });
    expect(await joined).toMatchObject({ nodeName: 'headless' });
  }, 20_000);

  it('approved without the fingerprint leaves the node pending', async () => {
    const { code } = await computer();
    expect(await call('session of admin', 'POST', `devices/${code.userCode}/approve`, {})).toMatchObject({
      status: 200,
      body: { node: { status: 'pending' } },
    });
  });

  it('a code of a computer cannot be approved or denied by a member', async () => {
    const { code } = await computer();
    expect((await call('session of member', 'GET', `devices/${code.userCode}`)).status).toBe(200);
    for (const decision of ['approve', 'deny']) {
      expect(await call('session of member', 'POST', `devices/${code.userCode}/${decision}`, {})).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role' },
      });
    }
  });

  it('a code of a computer is denied, and the computer gets the refusal', async () => {
    const { code, joined } = await computer();
    expect((await call('session of admin', 'POST', `devices/${code.userCode}/deny`, {})).status).toBe(200);
    await expect(joined).rejects.toMatchObject({ message: 'the account refused this computer' });
    expect((await call('session of admin', 'GET', `devices/${code.userCode}`)).status).toBe(404);
  }, 20_000);

  it('needs a recent sign-in in a browser', async () => {
    const { code } = await computer();
    await relay.database.query(`UPDATE session SET created_at = now() - interval '16 minutes'`);
    expect(await call('session of admin', 'POST', `devices/${code.userCode}/approve`, {})).toMatchObject({
      status: 403,
      body: { code: 'recent_sign_in_needed' },
    });
    expect((await call('CLI token of admin', 'POST', `devices/${code.userCode}/approve`, {})).status).toBe(200);
  });

  it('a code of a computer is not approved with a session that ends meanwhile', async () => {
    const { code } = await computer();
    const store = relay.app.get(DeviceCodesStore, { strict: false });
    const approve = store.approve.bind(store);
    const during = jest.spyOn(store, 'approve');
    during.mockImplementationOnce(async (...parameters) => {
      during.mockRestore();
      await relay.database.query('DELETE FROM session');
      return approve(...parameters);
    });
    expect(await call('session of admin', 'POST', `devices/${code.userCode}/approve`, {})).toMatchObject({
      status: 401,
      body: { code: 'invalid_credential' },
    });
    expect(JSON.stringify((await call('CLI token of admin', 'GET', 'nodes')).body)).not.toContain('headless');
    // The code is as it was.
    expect((await call('CLI token of admin', 'POST', `devices/${code.userCode}/approve`, {})).status).toBe(200);
  });
});

describe('a code without a pending request', () => {
  it('a code without a pending request is not found in any format, and guesses are limited', async () => {
    const statuses: number[] = [];
    for (const code of ['BBBB-BBBB', 'CCCC-CCCC', 'not a code', 'DDDD-DDDD', 'FFFF-FFFF', 'GGGG-GGGG', 'HHHH-HHHH']) {
      statuses.push((await call('session of admin', 'GET', `devices/${encodeURIComponent(code)}`)).status);
    }
    // A text that cannot be a code is no guess.
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404, 429]);
  });
});
