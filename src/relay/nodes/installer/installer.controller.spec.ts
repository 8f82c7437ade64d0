import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InstallerHarness, sha256 } from '../../../../test/support/relay/installer.harness.js';

let app: InstallerHarness;
beforeAll(async () => {
  app = await InstallerHarness.start();
});
afterAll(async () => {
  await app.close();
});

const get = (route: string, init: RequestInit = {}): Promise<Response> => fetch(`${app.url}${route}`, init);

/** Sends a request with this `Host` header. */
const withHost = async (port: number, route: string, host: string): Promise<string> => {
  const sent = request({ port, host: '127.0.0.1', path: route, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return text(response);
};

describe.each(['/install.sh', '/install.ps1'])('GET %s', (route) => {
  it('the install script is public text for this relay and this agent, with every placeholder filled', async () => {
    const response = await get(route);
    const script = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    for (const expected of [app.url, app.agentSha256, app.engineSha256, '1.2.3']) expect(script).toContain(expected);
    expect(script).not.toMatch(/@[A-Z0-9_]+@/);
  });

  it('answers HEAD, and 304 while it is unchanged', async () => {
    const head = await get(route, { method: 'HEAD' });
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    const etag = head.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    const again = await get(route, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect(again.status).toBe(304);
  });

  it.each(["evil.example'; rm -rf ~; '", 'evil.example', '127.0.0.1.evil.example', '$(id)', '127.0.0.1:1/../@evil'])(
    'ignores a forged Host header: %s',
    async (host) => {
      const script = await withHost(app.port, route, host);
      expect(script).not.toMatch(/evil|rm -rf ~|\$\(id\)/);
      expect(script).toMatch(/http:\/\/127\.0\.0\.1:\d+'?\n/);
    },
  );
});

it('uses the configured public address for every Host header', async () => {
  const published = await InstallerHarness.start("https://relay.example/it's");
  const [shell, powerShell] = await Promise.all([
    withHost(published.port, '/install.sh', 'evil.example'),
    withHost(published.port, '/install.ps1', 'evil.example'),
  ]);
  expect(shell).toContain(`RELAY_URL='https://relay.example/it'\\''s'\n`);
  expect(powerShell).toContain(`$relayUrl = 'https://relay.example/it''s'\n`);
  await published.close();
});

describe.each([
  ['/agent/ferry-node.mjs', 'text/javascript; charset=utf-8'],
  ['/agent/engine.tgz', 'application/gzip'],
])('GET %s', (route, type) => {
  it('serves the file with the digest that the installer checks', async () => {
    const response = await get(route);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('etag')).toBe(`"${sha256(bytes)}"`);
    expect([app.agentSha256, app.engineSha256]).toContain(sha256(bytes));
  });

  it('answers HEAD with the length, and 304 for a current copy', async () => {
    const head = await get(route, { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(0);
    expect(await head.text()).toBe('');
    const headers = { 'if-none-match': head.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
    expect((await get(route, { headers })).status).toBe(304);
  });

  it('the agent bundle is immutable only at the URL with its digest', async () => {
    const etag = (await get(route)).headers.get('etag')?.replaceAll('"', '') ?? '';
    const caching = async (query: string) => (await get(`${route}${query}`)).headers.get('cache-control');
    expect(await caching(`?sha256=${etag}`)).toBe('public, max-age=31536000, immutable');
    expect(await caching('')).toBe('no-cache');
    expect(await caching(`?sha256=${'0'.repeat(64)}`)).toBe('no-cache');
  });
});

it('returns version, link versions, digest and size', async () => {
  const response = await get('/agent/version.json');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual({
    version: '1.2.3',
    link_versions: [1],
    sha256: app.agentSha256,
    size: app.agentSize,
  });
});

it('serves the checksum in the format of sha256sum', async () => {
  const response = await get('/agent/ferry-node.mjs.sha256');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await response.text()).toBe(`${app.agentSha256}  ferry-node.mjs\n`);
});

it.each(['/agent', '/agent/', '/agent/package.json', '/agent/..%2f..%2fpackage.json', '/agent/version.json.map'])(
  'returns 404 for %s',
  async (route) => {
    expect((await get(route)).status).toBe(404);
  },
);

it('explains how to build a missing agent, and works once it is built', async () => {
  await rm(path.join(app.directory, 'version.json'));
  for (const route of ['/install.sh', '/install.ps1', '/agent/version.json', '/agent/ferry-node.mjs']) {
    const response = await get(route);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('npm run build');
  }
  await app.build();
  expect((await get('/install.sh')).status).toBe(200);
});
