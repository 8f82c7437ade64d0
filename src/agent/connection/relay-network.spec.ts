/** Joining and dialling where the relay is behind a proxy, has a certificate of its own authority, or both. */
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { ConnectProxy } from '../../../test/support/network/connect-proxy.js';
import { createTestAuthority } from '../../../test/support/network/tls.js';
import { createCredential } from '../../kernel/credential.js';
import { joinCluster } from '../enrolment/join-cluster.js';
import { dialRelay } from './dial-relay.js';
import { relayNetwork } from './relay-network.js';
import { relayProxy } from './relay-proxy.js';

/** No name server knows it: whoever reaches it went through the proxy. */
const NAME = 'relay.test';
const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);

let folder: string;
let caFile: string;
let relay: Server;
let proxy: ConnectProxy;
const saved = new Map(VARIABLES.map((name) => [name, process.env[name]]));

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ferry-network-'));
  caFile = path.join(folder, 'authority.pem');
  const authority = await createTestAuthority();
  await writeFile(caFile, `Our own authority\n${authority.certificate}`);
  relay = createServer(await authority.issue(NAME, 'localhost'), result);
  const sockets = new WebSocketServer({ noServer: true });
  relay.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      websocket.send(Buffer.from('welcome'));
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
});
afterAll(async () => {
  relay.closeAllConnections();
  relay.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  proxy = await ConnectProxy.start({ [NAME]: port() });
});
afterEach(async () => {
  await proxy.stop();
  for (const [name, value] of saved) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
});

const port = (): number => (relay.address() as AddressInfo).port;
const addressOf = (host: string): URL => new URL(`https://${host}:${port()}`);

function result(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/link/challenge') {
    response.end('{"nonce":"n1"}');
    return;
  }
  const identity = { node_id: `nd_${'1'.repeat(32)}`, cluster_id: 'cl_1', account_id: 'acc_1' };
  response.writeHead(201).end(JSON.stringify({ ...identity, relay_url: addressOf(NAME).href }));
}

/** What the relay says first, over a link that was dialled in full. */
async function greetingOf(address: URL, authorities: string | undefined): Promise<string> {
  const socket = await dialRelay({
    relay: address,
    network: await relayNetwork(address, authorities),
    authorize: (nonce) => `FerryNode nonce=${nonce}`,
    timeoutMs: 5_000,
    userAgent: 'ferry-node/test',
    signal: new AbortController().signal,
  });
  const greeting = once(socket, 'message');
  socket.resume();
  const [message] = (await greeting) as [Buffer];
  socket.terminate();
  return message.toString();
}

describe('a relay with a certificate of its own authority', () => {
  it('a relay with a certificate of its own authority is trusted when FERRY_CA_FILE names that authority', async () => {
    expect(await greetingOf(addressOf('localhost'), caFile)).toBe('welcome');
  });

  it('a relay with a certificate of its own authority is not trusted otherwise, and the error gives advice', async () => {
    await expect(greetingOf(addressOf('localhost'), undefined)).rejects.toThrow('FERRY_CA_FILE');
  });

  it('a relay with a certificate of its own authority is still checked for its name', async () => {
    await expect(greetingOf(addressOf('other.localhost'), caFile)).rejects.toThrow(/ALTNAME|ENOTFOUND|EAI_AGAIN/);
  });

  it.each([
    ['is not there', 'nowhere.pem', undefined, 'cannot read'],
    ['holds no certificate', 'empty.pem', 'hello', 'no certificate'],
    [
      'holds a damaged one',
      'damaged.pem',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      'certificate 1 in',
    ],
  ])(
    'a relay with a certificate of its own authority is a configuration error when the file %s',
    async (_name, file, content, message) => {
      const bad = path.join(folder, file);
      if (content !== undefined) await writeFile(bad, content);
      await expect(relayNetwork(addressOf(NAME), bad)).rejects.toThrow(message);
    },
  );
});

describe('a relay behind a proxy', () => {
  it('a relay behind a proxy is joined and dialled through a tunnel', async () => {
    process.env['HTTPS_PROXY'] = `http://me:secret@${proxy.host}`;
    const joined = await joinCluster({
      relayUrl: addressOf(NAME).href,
      joinToken: createCredential('join-token').text,
      dataDirectory: path.join(folder, 'joined'),
      caFile,
    });
    expect(joined.relayUrl).toBe(`https://${NAME}:${port()}`);
    expect(await greetingOf(addressOf(NAME), caFile)).toBe('welcome');
    // Enrolment, challenge and WebSocket: a tunnel each.
    expect(proxy.tunnels).toEqual(Array.from({ length: 3 }, () => `${NAME}:${port()}`));
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from('me:secret').toString('base64')}`]));
  });

  it('a relay behind a proxy is unreachable when the proxy refuses, which does not count as a refusal by the relay', async () => {
    process.env['https_proxy'] = `http://${proxy.host}`;
    proxy.refuseWith = 403;
    await expect(greetingOf(addressOf(NAME), caFile)).rejects.toMatchObject({ status: null });
  });

  it('a relay behind a proxy is dialled directly where NO_PROXY names it', async () => {
    process.env['HTTPS_PROXY'] = `http://${proxy.host}`;
    process.env['NO_PROXY'] = `example.com, .test`;
    await expect(greetingOf(addressOf(NAME), caFile)).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
    expect(proxy.tunnels).toEqual([]);
  });
});

describe('the proxy of an address', () => {
  const proxyOf = (relayUrl: string, env: Record<string, string>): string | undefined => {
    Object.assign(process.env, env);
    return relayProxy(new URL(relayUrl))?.href;
  };

  it.each([
    ['the one for the scheme of the relay', { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, 'http://a:1/'],
    ['none for the other scheme', { HTTP_PROXY: 'http://b:2' }, undefined],
    ['the one for everything', { ALL_PROXY: 'http://c:3' }, 'http://c:3/'],
    ['an http one where only host and port are named', { HTTPS_PROXY: 'proxy:3128' }, 'http://proxy:3128/'],
    ['an https one where it says so', { HTTPS_PROXY: 'https://proxy:3128' }, 'https://proxy:3128/'],
    ['none at all by NO_PROXY=*', { HTTPS_PROXY: 'http://a:1', NO_PROXY: '*' }, undefined],
    ['none by host and port', { HTTPS_PROXY: 'http://a:1', NO_PROXY: 'relay.example:443' }, undefined],
    [
      'one where NO_PROXY means another port',
      { HTTPS_PROXY: 'http://a:1', NO_PROXY: 'relay.example:8443' },
      'http://a:1/',
    ],
  ])('the proxy of an address is %s', (_name, env, expected) => {
    expect(proxyOf('https://relay.example', env)).toBe(expected);
  });

  it.each(['http://127.0.0.1:8787', 'http://localhost:8787', 'https://[::1]:8787'])(
    'the proxy of an address is none for %s',
    (address) => {
      expect(proxyOf(address, { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://a:1' })).toBeUndefined();
    },
  );

  it('the proxy of an address is a configuration error when unusable, and the message omits its password', () => {
    const attempt = (): unknown => proxyOf('https://relay.example', { HTTPS_PROXY: 'socks5://me:secret@proxy:1080' });
    expect(attempt).toThrow('a socks5: proxy is not supported');
    expect(attempt).not.toThrow('secret');
  });
});
