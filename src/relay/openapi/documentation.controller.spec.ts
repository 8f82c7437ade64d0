import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { ExtensionState } from '../extensions/extension-state.js';
import { RELAY_CONFIG } from '../platform/config/relay-config.js';
import { assets } from './documentation.controller.js';
import { DocumentationModule } from './documentation.module.js';

let app: INestApplication;
let address: string;
const facts = { serviceName: 'Acme & Co', version: '1.2.3', baseUrl: 'https://relay.example/ferry' };

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [DocumentationModule],
    providers: [],
  })
    .useMocker((token) => {
      if (token === RELAY_CONFIG) return facts;
      return token === ExtensionState ? new ExtensionState({ settings: { extensions: '' } } as never) : undefined;
    })
    .compile();
  app = module.createNestApplication();
  await app.listen(0, '127.0.0.1');
  address = await app.getUrl();
});

afterAll(async () => {
  await app.close();
});

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${address}${path}`, { redirect: 'manual', ...init });

describe.each(['/docs', '/docs/management', '/docs/quickstart'])('%s', (path) => {
  test('the documentation has a CSP without external sources, inline scripts and frames', async () => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("font-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  test('references scripts and styles of the relay only, and each exists', async () => {
    const markup = await (await get(path)).text();
    const loaded = [...markup.matchAll(/(?:src|link rel="[a-z]+" href)="([^"]+)"/g)].map(([, url]) => url!);
    expect(loaded.length).toBeGreaterThan(2);
    for (const url of loaded) {
      expect(url).toMatch(/^\/ferry\/docs\/assets\//);
      expect((await get(url.replace('/ferry', ''))).status).toBe(200);
    }
    expect(markup).not.toMatch(/<script>|<style|style=| on[a-z]+=/);
  });
});

test('the quickstart shows the address of the relay, escaped', async () => {
  const markup = await (await get('/docs/quickstart')).text();
  expect(markup).toContain('https://relay.example/ferry/v1/chat/completions');
  expect(markup).toContain('Acme &amp; Co');
  expect(markup).not.toContain('Acme & Co');
});

test('the reference alone may use inline styles and call the relay', async () => {
  const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
  expect(await policyOf('/docs')).toContain("connect-src 'self' https://relay.example");
  expect(await policyOf('/docs/quickstart')).not.toContain('unsafe-inline');
  expect(await policyOf('/docs/quickstart')).not.toContain('connect-src');
});

test.each([...assets.keys()])('asset %s is served with its type, and 304 while unchanged', async (name) => {
  const first = await get(`/docs/assets/${name}`);
  expect(first.status).toBe(200);
  expect(first.headers.get('content-type')).toBe(assets.get(name)?.contentType);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(0);
  const again = await get(`/docs/assets/${name}`, {
    // As browsers ask; without a word of its own, fetch would add `no-cache` to the request.
    headers: { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' },
  });
  expect(again.status).toBe(304);
});

test.each(['package.json', '..%2Fpages.css', '%2e%2e%2f%2e%2e%2fpackage.json', '__proto__', 'swagger-ui.css.map', '.'])(
  'asset %s does not exist',
  async (name) => {
    expect((await get(`/docs/assets/${name}`)).status).toBe(404);
  },
);

test('the document of the management API names the service and its address', async () => {
  const json = await get('/api/openapi.json');
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await json.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Acme & Co management API', version: '1.2.3' },
    servers: [{ url: facts.baseUrl }],
  });
});

test('the document names the service and its address, in JSON and in YAML', async () => {
  const json = await get('/openapi.json');
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await json.json()).toMatchObject({
    openapi: '3.1.0',
    info: { title: 'Acme & Co API', version: '1.2.3' },
    servers: [{ url: facts.baseUrl }],
  });
  const yaml = await get('/openapi.yaml');
  expect(yaml.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
  expect(await yaml.text()).toMatch(/^openapi: 3\.1\.0\n/);
});
