/** Where a node lets an account's admins install from: its network is its owner's. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { failureOf } from '../../../../../test/engines/engine-questions.js';
import { ConnectProxy } from '../../../../../test/support/network/connect-proxy.js';
import { Loopback } from '../../../../../test/support/network/loopback.js';
import type { Resolve } from '../../../public-internet/public-lookup.js';
import { ModelInstaller, type ModelInstallerOptions } from './model-installer.js';

const file = Buffer.from('GGUF and what follows');
let directory: string;
let server: Loopback;
let result: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-install-'));
  result = (_request, response) => response.end(file);
  server = await Loopback.start((request, response) => {
    result(request, response);
  });
});

afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

const install = (source: string, options: Partial<ModelInstallerOptions>): Promise<string> =>
  new ModelInstaller({
    directory,
    env: {},
    userAgent: 'ferry-node/test',
    installSources: 'public',
    maxModelBytes: Infinity,
    freeDiskBytes: () => Promise.resolve(10 ** 12),
    retryBackoff: { baseMs: 1, maxMs: 1 },
    inspect: () => Promise.resolve(),
    onReady: () => Promise.resolve(),
    ...options,
  }).install(source, { signal: new AbortController().signal, report: () => undefined }, () => false);

describe('a node that installs from public addresses only', () => {
  const leadingTo =
    (...addresses: string[]): Resolve =>
    (_host, done) => {
      done(
        null,
        addresses.map((ip) => ({ address: ip, family: ip.includes(':') ? 6 : 4 })),
      );
    };
  /** What is collect, without the address that was asked for. */
  const collect = async (source: string, options: Partial<ModelInstallerOptions> = {}) => {
    const { code, message } = await failureOf(install(source, options));
    return { code, message: message.replace(/^\S+/, '…') };
  };
  const unreachable = { code: 'network', message: expect.stringContaining('FERRY_NODE_INSTALL_SOURCES=private') };

  it.each([
    () => `${server.url}/x.gguf`,
    () => `https://127.0.0.1:${server.port}/x.gguf`,
    () => `https://localhost:${server.port}/x.gguf`,
    () => `https://2130706433:${server.port}/x.gguf`,
    () => `https://[::ffff:127.0.0.1]:${server.port}/x.gguf`,
    () => 'https://[::1]/x.gguf',
    () => 'https://10.0.0.1:22/x.gguf',
    () => 'https://192.168.1.1/x.gguf',
    () => 'https://169.254.169.254/x.gguf',
  ])('refuses addresses of private networks (%#)', async (source) => {
    let connections = 0;
    server.server.on('connection', () => (connections += 1));
    expect(await collect(source())).toEqual(unreachable);
    expect(connections).toBe(0);
  });

  it('refuses a name that resolves to a private address, even among others', async () => {
    let connections = 0;
    server.server.on('connection', () => (connections += 1));
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['fd00::1']]) {
      const resolve = leadingTo(...addresses);
      expect(await collect(`https://models.example:${server.port}/x.gguf`, { resolve })).toEqual(unreachable);
    }
    expect(connections).toBe(0);
  });

  it('connects to the checked address without a second lookup', async () => {
    let lookUps = 0;
    const options: Partial<ModelInstallerOptions> = {
      resolve: (host, done) => {
        lookUps += 1;
        leadingTo('fd00::1')(host, done);
      },
    };
    await collect('https://models.example/x.gguf', options);
    // One for each try of the download.
    expect(lookUps).toBe(4);
  });

  it('follows no redirect to a private address', async () => {
    let connections = 0;
    const inside = await Loopback.start((_request, response) => response.end(file));
    inside.server.on('connection', () => (connections += 1));
    try {
      for (const to of [inside.url, `https://127.0.0.1:${inside.port}`, `https://localhost:${inside.port}`]) {
        result = (_request, response) => response.writeHead(302, { location: `${to}/x.gguf` }).end();
        expect(await collect('hf:a/b/x.gguf', { env: { HF_ENDPOINT: server.url } })).toEqual(unreachable);
      }
      expect(connections).toBe(0);
    } finally {
      await inside.close();
    }
  });

  it('allows a configured hub at any address', async () => {
    expect(await install('hf:a/b/x.gguf', { env: { HF_ENDPOINT: server.url } })).toBe('x');
  });

  it('sends no private address to a proxy, and lets the proxy resolve unknown names', async () => {
    const proxy = await ConnectProxy.start({});
    const through = (resolve: Resolve) => ({ resolve, env: { HTTPS_PROXY: `http://${proxy.host}` } });
    try {
      expect(await collect('https://inside.example/x.gguf', through(leadingTo('10.0.0.1')))).toEqual(unreachable);
      expect(await collect('https://10.0.0.1/x.gguf', through(leadingTo()))).toEqual(unreachable);
      expect(proxy.tunnels).toEqual([]);
      const nowhere: Resolve = (_host, done) => {
        done(new Error('ENOTFOUND'), []);
      };
      expect(await collect('https://outside.example/x.gguf', through(nowhere))).toEqual(unreachable);
      expect(proxy.tunnels).toContain('outside.example:443');
    } finally {
      await proxy.stop();
    }
  });

  it('fails with one message for forbidden, closed, silent and missing targets', async () => {
    const other = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.end('SSH-2.0-OpenSSH_9.9\r\n');
    });
    const mute = net.createServer(() => undefined);
    for (const listening of [other, mute]) await once(listening.listen(0, '127.0.0.1'), 'listening');
    const portOf = (listening: net.Server): number => (listening.address() as net.AddressInfo).port;
    const open = { installSources: 'private', stallTimeoutMs: 50 } as const;
    try {
      const responses = [
        await collect('https://10.0.0.1/x.gguf'),
        await collect('http://127.0.0.1:1/x.gguf', open),
        await collect(`http://127.0.0.1:${portOf(other)}/x.gguf`, open),
        await collect(`https://127.0.0.1:${portOf(other)}/x.gguf`, open),
        await collect(`http://127.0.0.1:${portOf(mute)}/x.gguf`, open),
        await collect(`https://127.0.0.1:${server.port}/x.gguf`, open),
        await collect('https://nowhere.invalid/x.gguf', open),
      ];
      expect(new Set(responses.map((one) => JSON.stringify(one))).size).toBe(1);
      expect(responses[0]).toEqual(unreachable);
    } finally {
      other.close();
      mute.close();
    }
  });
});
