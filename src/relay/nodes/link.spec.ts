/** Enrolment and the link on a real socket: what a computer, or somebody who poses as one, gets to see. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { WebSocket } from 'ws';
import { eventually } from '../../../test/support/clock/eventually.js';
import {
  accountId,
  dialSocket,
  handshakeStatus,
  helloOf,
  NodesHarness,
  TestComputer,
} from '../../../test/support/relay/nodes.harness.js';
import { modelReport } from '../../../test/support/link/model-report.js';
import { encodeControl } from '../../link/codec/control-payload.js';
import { encodeFrame } from '../../link/codec/frame-codec.js';
import { CONTROL_STREAM, FrameType } from '../../link/codec/frame-types.js';
import { helloMessage } from '../../link/messages.js';
import type { NodesService as NodesServiceType } from './nodes.service.js';
import { NodesService } from './nodes.service.js';

let relay: NodesHarness;
beforeAll(async () => {
  relay = await NodesHarness.start({
    FERRY_LINK_FAILED_AUTHENTICATIONS_PER_MINUTE: '10000',
    FERRY_NODES_PER_ACCOUNT: '100',
  });
}, 60_000);
afterAll(async () => {
  await relay.close();
}, 30_000);

const nodes = (): NodesServiceType => relay.app.get(NodesService, { strict: false });
const isOnline = async ({ nodeId }: TestComputer): Promise<boolean> =>
  (await nodes().list(accountId)).some((node) => node.nodeId === nodeId && node.online);
const closeCode = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0];

describe('GET /link', () => {
  it('GET /link without an Upgrade header says that an upgrade is required, and why one may be missing', async () => {
    const response = await fetch(`${relay.url}/link`);
    expect(response.status).toBe(426);
    expect(response.headers.get('upgrade')).toBe('websocket');
    expect(await response.text()).toContain('a proxy in front of the relay removes the header');
  });
});

describe('a check of the link', () => {
  it('opens without credentials and is closed at once, 30 times a minute for each address', async () => {
    for (let opened = 0; opened < 30; opened += 1) {
      const socket = dialSocket(relay, {}, 'ferry.check.v1');
      expect(await closeCode(socket)).toBe(1000);
    }
    expect(await handshakeStatus(dialSocket(relay, {}, 'ferry.check.v1'))).toBe(429);
  });
});

describe('POST /link/enrol', () => {
  it('enrols a computer with a join token and proof of its key', async () => {
    const computer = new TestComputer(relay);
    const response = await computer.enrol(await relay.joinToken());
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({
      node_id: expect.stringMatching(/^nd_[0-9a-f]{32}$/),
      cluster_id: expect.stringMatching(/^cl_/),
      account_id: accountId,
      relay_url: relay.url,
    });
  });

  it('accepts a token once, with advice', async () => {
    const token = await relay.joinToken();
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => (await new TestComputer(relay).enrol(token)).status),
    );
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 401)]);
    const again = await new TestComputer(relay).enrol(token);
    expect(await again.json()).toMatchObject({
      code: 'invalid_credential',
      detail: expect.stringContaining('Create a new one'),
    });
  });

  it.each([
    ['a token that is none', { join_token: 'ferry-join-abc' }, 401],
    ['no token', { join_token: undefined }, 400],
    ['a token that is not text', { join_token: { $gt: '' } }, 400],
    ['a key of the wrong length', { public_key: 'AAAA' }, 400],
    ['a signature by another key', { signature: randomBytes(64).toString('base64url') }, 400],
    ['a signature that is none', { signature: '' }, 400],
    ['an endless name', { node_name: 'x'.repeat(201) }, 400],
  ])('refuses %s, and the token stays valid', async (_name, changes, status) => {
    const token = await relay.joinToken();
    const computer = new TestComputer(relay);
    const refused = await computer.enrol(token, changes);
    expect(refused.status).toBe(status);
    expect(await refused.text()).not.toContain(token);
    expect((await computer.enrol(token)).status).toBe(201);
  });

  it('limits the body size', async () => {
    const response = await new TestComputer(relay).enrol('x', { platform: 'x'.repeat(20_000) });
    expect(response.status).toBe(413);
  });
});

describe('the handshake', () => {
  it('admits an enrolled computer, and lists it', async () => {
    const computer = await TestComputer.enrolled(relay);
    const link = await computer.dial();
    expect(await link.ready).toMatchObject({ protocol_version: 1, epoch: 1, limits: { max_streams: 1_024 } });
    const [view] = (await nodes().list(accountId)).filter(({ nodeId }) => nodeId === computer.nodeId);
    expect(view).toMatchObject({
      online: true,
      acceptsWork: true,
      name: expect.stringMatching(/^desk/),
      state: 'active',
      engines: [{ name: 'llamacpp', kind: 'llamacpp', version: '1.0' }],
    });
    link.socket.terminate();
    await eventually('the node is offline', async () => !(await isOnline(computer)));
  });

  it('accepts frames in the same packet as the handshake', async () => {
    const computer = await TestComputer.enrolled(relay);
    const payload = encodeControl(helloMessage, helloOf('early'));
    const frame = Buffer.alloc(8 + payload.length);
    frame.writeUInt8(FrameType.hello, 4);
    frame.writeUIntBE(payload.length, 5, 3);
    payload.copy(frame, 8);
    const mask = Buffer.alloc(4);
    const header = Buffer.from([0x82, 0x80 | 126, frame.length >> 8, frame.length & 0xff]);
    const upgrade = [
      'GET /link HTTP/1.1',
      `Host: ${relay.host}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      'Sec-WebSocket-Protocol: ferry.link.v1',
      `Authorization: ${await computer.authorization()}`,
      '',
      '',
    ].join('\r\n');
    const socket = net.connect(Number(new URL(relay.url).port), '127.0.0.1');
    socket.write(Buffer.concat([Buffer.from(upgrade), header, mask, frame]));
    await eventually('the node is online', () => isOnline(computer));
    socket.destroy();
  });

  const headers = async (computer: TestComputer): Promise<Record<string, string>> => ({
    authorization: await computer.authorization(),
  });

  it.each<[string, (computer: TestComputer) => Promise<WebSocket>, number]>([
    ['without authorization', () => Promise.resolve(dialSocket(relay)), 401],
    ['with an Origin', async (of) => dialSocket(relay, { headers: await headers(of), origin: relay.url }), 403],
    ['with a Cookie', async (of) => dialSocket(relay, { headers: { ...(await headers(of)), cookie: 'a=b' } }), 403],
    ['with another subprotocol', async (of) => dialSocket(relay, { headers: await headers(of) }, 'ferry.link.v2'), 426],
    [
      'with the key of another computer',
      async (of) => {
        const other = new TestComputer(relay);
        return dialSocket(relay, { headers: { authorization: await of.authorization(other.keys.privateKey) } });
      },
      401,
    ],
    [
      'with an API key',
      async () => dialSocket(relay, { headers: { authorization: `Bearer ${await relay.apiKey()}` } }),
      401,
    ],
  ])('the handshake is refused %s', async (_name, open, status) => {
    const computer = await TestComputer.enrolled(relay);
    expect(await handshakeStatus(await open(computer))).toBe(status);
    expect(await isOnline(computer)).toBe(false);
  });

  it('the handshake is refused when replayed', async () => {
    const computer = await TestComputer.enrolled(relay);
    const authorization = await computer.authorization();
    const statusOf = (): Promise<number> => handshakeStatus(dialSocket(relay, { headers: { authorization } }));
    expect([await statusOf(), await statusOf()]).toEqual([101, 401]);
  });

  it('the handshake is limited per node, with Retry-After', async () => {
    const computer = await TestComputer.enrolled(relay);
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(await handshakeStatus(dialSocket(relay, { headers: await headers(computer) }))).toBe(101);
    }
    const socket = dialSocket(relay, { headers: await headers(computer) });
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      net.Socket & { statusCode: number; headers: Record<string, string> },
    ];
    expect(response.statusCode).toBe(429);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    socket.on('error', () => undefined).terminate();
  });
});

describe('a link', () => {
  it('ends within two seconds when its node is revoked, which stays refused', async () => {
    const computer = await TestComputer.enrolled(relay);
    const link = await computer.dial();
    const startedMs = performance.now();
    expect(await nodes().revoke(accountId, computer.nodeId, 'system')).toBe(true);
    expect(await link.closed).toBe(4401);
    expect(performance.now() - startedMs).toBeLessThan(2_000);
    const authorization = await computer.authorization();
    expect(await handshakeStatus(dialSocket(relay, { headers: { authorization } }))).toBe(403);
  });

  it('a link is replaced by a newer one of another process', async () => {
    const computer = await TestComputer.enrolled(relay);
    const older = await computer.dial('p');
    const newer = await computer.dial('q');
    expect(await older.closed).toBe(4409);
    expect(await isOnline(computer)).toBe(true);
    newer.socket.terminate();
  });

  it('hands over to a newer one of the same process, and closes once nothing runs on it', async () => {
    const computer = await TestComputer.enrolled(relay);
    const older = await computer.dial('p');
    older.report(modelReport('handed-over'));
    const newer = await computer.dial('p');
    expect(await older.closed).toBe(1000);
    const view = (await nodes().list(accountId)).find(({ nodeId }) => nodeId === computer.nodeId);
    expect(view?.models).toMatchObject([{ displayName: 'handed-over' }]);
    newer.socket.terminate();
  });

  it.each<[string, (socket: WebSocket) => void, number]>([
    [
      'text',
      (socket) => {
        socket.send('{}');
      },
      1002,
    ],
    [
      'noise',
      (socket) => {
        socket.send(randomBytes(100));
      },
      1002,
    ],
    [
      'half a frame',
      (socket) => {
        socket.send(Buffer.alloc(7));
      },
      1002,
    ],
    [
      'a message over 256 KiB',
      (socket) => {
        socket.send(Buffer.alloc(262_145));
      },
      1009,
    ],
    [
      'a second HELLO',
      (socket) => {
        socket.emit('again');
      },
      1002,
    ],
  ])('a link that sends %s is closed without affecting others', async (name, misbehave, code) => {
    const [bad, good] = [await TestComputer.enrolled(relay), await TestComputer.enrolled(relay)];
    const [badLink, goodLink] = [await bad.dial(), await good.dial()];
    if (name === 'a second HELLO') badLink.session.hello(helloOf('again'));
    else misbehave(badLink.socket);
    expect(await badLink.closed).toBe(code);
    await eventually('the node is offline', async () => !(await isOnline(bad)));
    expect(await isOnline(good)).toBe(true);
    goodLink.socket.terminate();
  });

  it('a link is closed without HELLO', async () => {
    const impatient = await NodesHarness.start({ FERRY_LINK_HANDSHAKE_TIMEOUT_MS: '200' });
    const computer = await TestComputer.enrolled(impatient);
    const socket = dialSocket(impatient, { headers: { authorization: await computer.authorization() } });
    expect(await closeCode(socket)).toBe(1002);
    await impatient.close();
  }, 30_000);

  it('answers pings', async () => {
    const computer = await TestComputer.enrolled(relay);
    const { socket } = await computer.dial();
    socket.ping('are you there');
    const [payload] = (await once(socket, 'pong')) as [Buffer];
    expect(payload.toString()).toBe('are you there');
    socket.terminate();
    await delay(0);
  });

  it('lives as long as the node pings, and ends when it is silent', async () => {
    const impatient = await NodesHarness.start({
      FERRY_LINK_PING_INTERVAL_MS: '400',
      FERRY_LINK_DEAD_AFTER_MS: '1000',
    });
    const computer = await TestComputer.enrolled(impatient);
    const socket = dialSocket(impatient, {
      headers: { authorization: await computer.authorization() },
      autoPong: false,
    });
    await once(socket, 'open');
    socket.send(encodeFrame(CONTROL_STREAM, FrameType.hello, encodeControl(helloMessage, helloOf('silent'))));
    let gone = false;
    let pings = 0;
    socket.on('close', () => (gone = true));
    socket.on('ping', () => (pings += 1));
    const since = performance.now();
    while (performance.now() - since < 2_500) {
      socket.ping();
      await delay(100);
    }
    expect(gone).toBe(false);
    const whileTalking = pings;
    await eventually('the link is cut', () => gone);
    expect(pings).toBeGreaterThan(whileTalking);
    await impatient.close();
  }, 30_000);
});
