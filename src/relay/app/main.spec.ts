import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { InstanceLockedError, readInstance } from '../../kernel/instance-lock.js';
import { SettingsError } from '../../kernel/settings/settings-error.js';
import { layEmbeddedDatabase } from '../../../test/support/db/embedded-database.js';
import { RawClient } from '../../../test/support/network/loopback.js';
import { startRelay, type RunningRelay } from './main.js';

// A start of the embedded database takes seconds on a busy machine.
jest.setTimeout(60_000);

let directory: string;
let relay: RunningRelay;

const env = (): Record<string, string> => ({
  FERRY_DATA_DIR: directory,
  FERRY_PORT: '0',
  FERRY_LOG_LEVEL: 'silent',
  FERRY_DRAIN_NOTICE_MS: '300',
});

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'ferry-relay-'));
  await layEmbeddedDatabase(directory);
  relay = await startRelay({ env: env(), flags: { host: '127.0.0.1' } });
});

afterAll(async () => {
  await relay.close();
  await rm(directory, { recursive: true, force: true });
});

const json = async (path: string): Promise<unknown> => (await fetch(relay.baseUrl + path)).json();

describe('a relay', () => {
  it('a relay is live and ready when it reports so', async () => {
    expect(relay.baseUrl).toBe(`http://127.0.0.1:${relay.port}`);
    expect(await json('/livez')).toEqual({ status: 'ok' });
    expect(await json('/readyz')).toMatchObject({
      status: 'ok',
      details: { serving: { status: 'up' }, database: { status: 'up' } },
    });
  });

  it('keeps its files in a private folder', async () => {
    expect(await readdir(path.join(directory, 'relay'))).toEqual(expect.arrayContaining(['pgdata', 'secret']));
  });

  it('publishes its address through its lock', async () => {
    expect(await readInstance(path.join(directory, 'relay'), 'relay')).toMatchObject({
      pid: process.pid,
      base_url: relay.baseUrl,
    });
  });

  it('refuses a second process on its folder, naming the first', async () => {
    const second = startRelay({ env: env() });
    await expect(second).rejects.toThrow(InstanceLockedError);
    await expect(second).rejects.toThrow(`pid ${process.pid}`);
  });

  it('reports all problems of its configuration', async () => {
    await expect(startRelay({ env: { ...env(), FERRY_PORT: '-1', NATS_URL: 'nats://n' } })).rejects.toThrow(
      SettingsError,
    );
  });

  it('reports problems of its settings file with their line', async () => {
    const other = await mkdtemp(path.join(tmpdir(), 'ferry-toml-'));
    await writeFile(path.join(other, 'ferry.toml'), '[relay]\nqueue_timeout_ms = "soon"\n');
    await expect(startRelay({ env: { ...env(), FERRY_DATA_DIR: other } })).rejects.toThrow(
      'ferry.toml:2: queue_timeout_ms="soon": must be a time',
    );
    await rm(other, { recursive: true });
  });

  it('a relay that cannot listen reports why, and releases its folder', async () => {
    const other = path.join(directory, 'other');
    await layEmbeddedDatabase(other);
    const start = (port: number): Promise<RunningRelay> =>
      startRelay({ env: { ...env(), FERRY_DATA_DIR: other, FERRY_PORT: String(port), FERRY_DRAIN_NOTICE_MS: '0' } });
    await expect(start(relay.port)).rejects.toMatchObject({ code: 'EADDRINUSE', port: relay.port });
    await (await start(0)).close();
  });

  it('a relay has its routes under the key, and 404 for everything else', async () => {
    expect((await fetch(`${relay.baseUrl}/v1/models`)).status).toBe(401);
    expect(await json('/v1/nothing')).toMatchObject({ error: { code: 'route_not_found' } });
    expect(await json('/models')).toMatchObject({
      error: { message: expect.stringContaining('/v1/models') as unknown },
    });
    expect((await fetch(`${relay.baseUrl}/api/keys`)).status).toBe(401);
  });
});

describe('a client that offers HTTP/2 in clear', () => {
  const post = ['POST /v1/chat/completions HTTP/1.1', 'Host: relay', 'Content-Type: application/json'];
  const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk'];

  it('a client that offers HTTP/2 in clear is served over HTTP/1.1, on the fast path and on the ordinary one', async () => {
    const client = await RawClient.request(relay.port, [...post, ...h2c, 'Content-Length: 2'], '{}');
    await client.until('missing_or_malformed_credential');
    client.send(`GET /livez HTTP/1.1\r\nHost: relay\r\n${h2c.join('\r\n')}\r\n\r\n`);
    await client.until('{"status":"ok"}');
    client.destroy();
  });
});

describe('a relay that shuts down', () => {
  it('becomes not ready, refuses new work, exits, and can start again', async () => {
    const idle = await RawClient.connect(relay.port);
    const closing = relay.close();
    expect(relay.close()).toBe(closing);

    const notReady = await fetch(`${relay.baseUrl}/readyz`);
    expect(notReady.status).toBe(503);
    expect(await notReady.json()).toMatchObject({
      status: 'error',
      error: { serving: { status: 'down', message: 'the relay is shutting down' } },
    });
    expect(await json('/livez')).toEqual({ status: 'ok' });
    // During the notice, work is still taken: load balancers need a moment.
    expect((await fetch(`${relay.baseUrl}/v1/models`)).status).toBe(401);

    await closing;
    await relay.drained;
    await idle.closed;
    await expect(fetch(`${relay.baseUrl}/livez`)).rejects.toThrow();
    expect(await readInstance(path.join(directory, 'relay'), 'relay')).toBeUndefined();

    relay = await startRelay({ env: { ...env(), FERRY_DRAIN_NOTICE_MS: '0' } });
    expect(await json('/livez')).toEqual({ status: 'ok' });
  });
});
