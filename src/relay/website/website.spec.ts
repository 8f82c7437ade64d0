import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INDEX, SCRIPT, SCRIPT_NAME, WebsiteHarness } from '../../../test/support/relay/website.harness.js';

/** What browsers send when somebody opens an address. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

let app: WebsiteHarness;
beforeAll(async () => {
  app = await WebsiteHarness.start();
  await app.build();
});
afterAll(async () => {
  await app.close();
});

/** `fetch` takes `..` out of a path by itself. */
const bodyOfRaw = (path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    request({ hostname, port, path }, (response) => {
      text(response).then(resolve, reject);
    })
      .on('error', reject)
      .end();
  });

describe('/', () => {
  it.each(['GET', 'HEAD'])('redirects a browser to the website (%s)', async (method) => {
    const response = await app.get('/', browser, method);
    expect([response.status, response.headers.get('location')]).toEqual([302, '/console/']);
    expect(response.headers.get('vary')).toBe('accept');
  });

  it.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
    'redirects a client with %j to the quickstart',
    async (accept) => {
      for (const method of ['GET', 'HEAD']) {
        const response = await app.get('/', accept, method);
        expect([response.status, response.headers.get('location')]).toEqual([302, '/docs/quickstart']);
      }
    },
  );
});

describe('the pages of the website', () => {
  it.each(['/console', '/console/', '/console/computers', '/console/computers/nd_1.2', '/console/start?a=1'])(
    '%s is the index, never stored',
    async (target) => {
      const response = await app.get(target, browser);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await response.text()).toBe(INDEX);
    },
  );

  it('the pages of the website allow no external sources, inline scripts or frames', async () => {
    const { headers } = await app.get('/console/', browser);
    const policy = headers.get('content-security-policy')?.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ]),
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('the pages of the website keep browsers on https where the relay has an https address, and only there', async () => {
    const { headers } = await app.get('/console/', browser);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    const local = await WebsiteHarness.start('http://127.0.0.1:8787');
    await local.build();
    expect((await local.get('/console/', browser)).headers.get('strict-transport-security')).toBeNull();
    await local.close();
  });

  it('the pages of the website answer HEAD without a body', async () => {
    const response = await app.get('/console/', browser, 'HEAD');
    expect(response.headers.get('content-length')).toBe(String(INDEX.length));
    expect(await response.text()).toBe('');
  });
});

describe('the files of the website', () => {
  const script = `/console/assets/${SCRIPT_NAME}`;

  it('the files of the website are cached permanently when their name has a digest', async () => {
    const response = await app.get(script, { 'accept-encoding': 'identity' });
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('vary')).toBe('accept-encoding');
    expect(await response.text()).toBe(SCRIPT);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['identity', null],
  ])('the files of the website are compressed for a client that accepts %s', async (accepted, encoding) => {
    const response = await app.get(script, { 'accept-encoding': accepted });
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await response.text()).toBe(SCRIPT);
  });

  it('the files of the website are sent uncompressed when there is no compressed copy', async () => {
    const response = await app.get('/console/assets/style.css', { 'accept-encoding': 'br' });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe('a{}');
  });

  it('the files of the website are revalidated when their name has no digest', async () => {
    const first = await app.get('/console/icon.svg');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('content-type')).toBe('image/svg+xml');
    const again = await app.get('/console/icon.svg', {
      'if-modified-since': first.headers.get('last-modified') ?? '',
      'cache-control': 'max-age=0',
    });
    expect(again.status).toBe(304);
  });

  it.each([
    '/console/assets/missing-1.js',
    '/console/missing.svg',
    '/console/secret.env',
    '/console/assets/..%2Findex.html',
    '/console/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/console/assets/.hidden.js',
    `/console/assets/${SCRIPT_NAME}.br`,
    '/console/package.json',
  ])('%s is no file', async (target) => {
    expect((await app.get(target)).status).toBe(404);
  });

  it('the files of the website are never read from outside their folder', async () => {
    for (const path of [
      '/console/assets/../../../../package.json',
      '/console/assets/../../package.json',
      '/console/..%5c..%5cpackage.json',
      '/console/%00.js',
    ]) {
      expect(await bodyOfRaw(path)).not.toContain('devDependencies');
    }
  });

  it('the files of the website include an icon for pages that declare none', async () => {
    const response = await app.get('/favicon.ico');
    expect(response.headers.get('content-type')).toBe('image/x-icon');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  });
});

describe('an unknown path', () => {
  it('an unknown path is a page with a link to the website for a browser, with the path escaped', async () => {
    const response = await app.get('/no<b>where', browser);
    expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const markup = await response.text();
    expect(markup).toContain('href="/console/"');
    expect(markup).not.toContain('<b>');
  });

  it.each([
    ['/nowhere', {}],
    ['/nowhere', { accept: 'application/json' }],
    ['/v1/nowhere', browser],
    ['/api/nowhere', browser],
    ['/link/nowhere', browser],
  ])('%s with %j is JSON', async (target, headers) => {
    const response = await app.get(target, headers);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/(?:problem\+)?json/);
    expect(await response.text()).toContain('route_not_found');
  });

  it('an unknown path is JSON for methods other than GET', async () => {
    const response = await app.get('/nowhere', browser, 'POST');
    expect([response.status, response.headers.get('content-type')]).toEqual([404, expect.stringContaining('json')]);
  });
});

describe('without a build', () => {
  let bare: WebsiteHarness;
  beforeAll(async () => {
    bare = await WebsiteHarness.start('https://relay.example/ferry');
  });
  afterAll(async () => {
    await bare.close();
  });

  it('the website says how to build it', async () => {
    const response = await bare.get('/console/keys', browser);
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
  });

  it('works as soon as it is built, without a restart', async () => {
    await bare.build();
    expect(await (await bare.get('/console/keys', browser)).text()).toBe(INDEX);
  });

  it('links keep the path under which a proxy serves the relay', async () => {
    expect((await bare.get('/', browser)).headers.get('location')).toBe('/ferry/console/');
    expect(await (await bare.get('/nowhere', browser)).text()).toContain('href="/ferry/console/"');
  });
});
