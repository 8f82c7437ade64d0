import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { accountId, dialSocket, NodesHarness, TestComputer } from '../support/relay/nodes.harness.js';
import { joinByDeviceCode, type DeviceCode } from '../../src/agent/enrolment/join-by-device-code.js';
import { readIdentity } from '../../src/agent/enrolment/node-identity.js';
import type { AccountId } from '../../src/kernel/ids.js';
import { NodesService } from '../../src/relay/nodes/nodes.service.js';
import { DeviceCodesService } from '../../src/relay/nodes/device-codes/device-codes.service.js';
import { DeviceCodesStore } from '../../src/relay/nodes/device-codes/device-codes.store.js';

const otherAccount = 'acc_stranger' as AccountId;
const NO_WISH = { clusterId: null, name: null };

let relay: NodesHarness;
let directory: string;
let codes: DeviceCodesService;
let nodes: NodesService;

beforeAll(async () => {
  relay = await NodesHarness.start();
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-device-'));
  codes = relay.app.get(DeviceCodesService, { strict: false });
  nodes = relay.app.get(NodesService, { strict: false });
}, 120_000);

afterAll(async () => {
  await relay.close();
  await rm(directory, { recursive: true, force: true });
});

/** The relay accepts faster polls than it asks for; five seconds of waiting show nothing more. */
const soon = (_ms: number, signal: AbortSignal | undefined): Promise<unknown> => delay(50, undefined, { signal });

/** A computer that requests a code and polls until the end of the test. */
async function requesting(name: string, ended: AbortController) {
  let shown: (code: DeviceCode) => void = () => undefined;
  const code = new Promise<DeviceCode>((resolve) => (shown = resolve));
  const dataDirectory = path.join(directory, name);
  const joined = joinByDeviceCode({
    relayUrl: relay.url,
    name,
    dataDirectory,
    show: shown,
    signal: ended.signal,
    delay: soon,
  });
  joined.catch(() => undefined);
  return { code: await code, joined, dataDirectory };
}

const post = async (route: string, body: object): Promise<{ status: number; code: unknown }> => {
  const response = await fetch(`${relay.url}/link/${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { code } = (await response.json()) as { code?: unknown };
  return { status: response.status, code };
};

/** A code in the database, for tests that need no computer. */
async function storedCode(userCode: string, lifetimeMs = 60_000): Promise<void> {
  await relay.app.get(DeviceCodesStore, { strict: false }).insert(
    {
      hash: Buffer.from(userCode),
      userCode,
      publicKey: Buffer.alloc(32),
      nodeName: 'box',
      platform: 'linux',
      agentVersion: '1',
      ip: '192.0.2.1',
      lifetimeMs,
    },
    1_000,
  );
}

describe('a computer without a browser', () => {
  const ended = new AbortController();
  afterAll(() => {
    ended.abort();
  });

  it('becomes a node only after its code is approved and its fingerprint confirmed', async () => {
    const { code, joined, dataDirectory } = await requesting('headless', ended);
    const device = await codes.look(accountId, code.userCode.toLowerCase().replace('-', ' '));
    expect(device).toMatchObject({ nodeName: 'headless', ip: expect.stringContaining('127.0.0.1') });

    const { nodeId } = await codes.approve(accountId, code.userCode, NO_WISH, 'system');
    expect(await nodes.find(accountId, nodeId)).toMatchObject({
      state: 'pending',
      online: false,
      fingerprint: code.fingerprint,
    });
    await expect(nodes.confirm(accountId, nodeId, 'able able able able able able', 'system')).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'fingerprint',
    });
    expect(await readIdentity(dataDirectory)).toBeUndefined();
    expect(await nodes.confirm(accountId, nodeId, code.fingerprint, 'system')).toMatchObject({ state: 'active' });
    expect(await joined).toMatchObject({ nodeId, nodeName: 'headless' });
    expect(await readIdentity(dataDirectory)).toMatchObject({ node_id: nodeId, account_id: accountId });
  }, 20_000);

  it('a computer without a browser is notified when its node is revoked instead', async () => {
    const { code, joined } = await requesting('unwanted', ended);
    const { nodeId } = await codes.approve(accountId, code.userCode, NO_WISH, 'system');
    await nodes.revoke(accountId, nodeId, 'system');
    await expect(joined).rejects.toMatchObject({ reason: 'refused', message: 'the account refused this computer' });
  }, 20_000);
});

describe('a pending node', () => {
  it('a pending node is not admitted by its key alone', async () => {
    const computer = await TestComputer.enrolled(relay);
    await relay.app.get(DataSource).query(`UPDATE node SET state = 'pending' WHERE id = $1`, [computer.nodeId]);
    const socket = dialSocket(relay, { headers: { authorization: await computer.authorization() } });
    socket.on('error', () => undefined);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, IncomingMessage];
    expect(response.statusCode).toBe(403);
    expect(await nodes.find(accountId, computer.nodeId)).toMatchObject({ state: 'pending', online: false });
  });
});

describe('a device code', () => {
  it('a device code is invalid after five attempts, and when it has expired', async () => {
    const store = relay.app.get(DeviceCodesStore, { strict: false });
    await storedCode('BBBBBBBB');
    const tries = await Promise.all(Array.from({ length: 9 }, () => store.look('BBBBBBBB')));
    expect(tries.filter((found) => found !== undefined)).toHaveLength(5);
    await storedCode('CCCCCCCC', 0);
    expect(await store.look('CCCCCCCC')).toBeUndefined();
  });

  it('a device code is approved once under concurrent approvals', async () => {
    await storedCode('DDDDDDDD');
    const results = await Promise.allSettled(
      [1, 2, 3].map(() => codes.approve(accountId, 'DDDD-DDDD', NO_WISH, 'system')),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('allows ten guesses a minute', async () => {
    for (let guess = 0; guess < 10; guess += 1) {
      await expect(codes.look(otherAccount, 'ZZZZ-ZZZZ')).rejects.toMatchObject({ code: 'not_found' });
    }
    await expect(codes.look(otherAccount, 'ZZZZ-ZZZZ')).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  });

  it('a device code is not issued without proof of the key', async () => {
    const computer = new TestComputer(relay);
    const { nonce } = (await (await fetch(`${relay.url}/link/challenge`)).json()) as { nonce: string };
    const request = {
      public_key: computer.keys.publicKey.export({ format: 'jwk' }).x,
      nonce,
      signature: 'A'.repeat(86),
      node_name: 'box',
      platform: 'linux',
      agent_version: '1',
    };
    expect(await post('device-code', request)).toEqual({ status: 400, code: 'invalid_request' });
    expect(await post('device-code/token', { device_code: 'ferry-dvn-made-up' })).toEqual({
      status: 400,
      code: 'expired_token',
    });
  });

  it('a device code is issued ten times a minute per address', async () => {
    const refused = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const { status } = await post('device-code', {
        public_key: 'A'.repeat(43),
        nonce: 'n',
        signature: 's',
        node_name: 'box',
        platform: 'linux',
        agent_version: '1',
      });
      refused.push(status);
    }
    expect(refused).toContain(429);
  });
});
