/**
 * docs/reference/public-api.md#authentication, docs/reference/public-api.md#errors, and the order of checks: golden
 * responses, byte for byte where the specification defines the bytes.
 */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCredential } from '../../src/kernel/credential.js';
import { FakeEngine } from '../support/engine/fake-engine.js';
import { shareRelay } from '../support/process/shared-deployment.js';
import type { Tenant } from '../support/process/tenant.js';
import { TestNode } from '../support/process/test-node.js';

const hello = { model: 'fake', messages: [{ role: 'user', content: 'hi' }] };

/** Sends exactly these headers, which `fetch` would merge or refuse. */
const rawGet = (url: string, headers: readonly string[]): Promise<{ status: number; type: string; body: string }> =>
  new Promise((resolve, reject) => {
    const target = new URL(url);
    request(target, { headers: ['host', target.host, ...headers] }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', body });
      });
    })
      .on('error', reject)
      .end();
  });

const errorOf = async (
  response: Response,
): Promise<{ code: string; param: string | null; message: string; type: string }> => {
  const body = (await response.json()) as {
    error: { code: string; param: string | null; message: string; type: string };
  };
  return body.error;
};

describe('errors of the public routes', () => {
  let relay: Tenant;

  shareRelay((shared) => (relay = shared));

  describe('401', () => {
    const good = createCredential('api-key').text;
    it.each([
      ['no header', []],
      ['an empty header', ['authorization', '']],
      ['another scheme', ['authorization', `Basic ${good}`]],
      ['no token', ['authorization', 'Bearer']],
      ['an empty token', ['authorization', 'Bearer ']],
      ['two tokens in one header', ['authorization', `Bearer ${good} ${good}`]],
      ['two headers', ['authorization', `Bearer ${good}`, 'authorization', `Bearer ${good}`]],
      ['a foreign key', ['authorization', 'Bearer sk-proj-abcdef']],
      ['a wrong checksum', ['authorization', `Bearer ${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`]],
      ['x-api-key instead', ['x-api-key', good]],
      ['a command line token', ['authorization', `Bearer ${createCredential('cli-token').text}`]],
    ])('401 is the literal plain text for %s', async (_name, headers) => {
      const response = await rawGet(`${relay.baseUrl}/v1/models`, headers);
      expect(response).toEqual({
        status: 401,
        type: 'text/plain; charset=utf-8',
        body: 'missing_or_malformed_credential',
      });
    });

    it('401 is the same on every route, before the body is read', async () => {
      const response = await fetch(`${relay.baseUrl}/v1/chat/completions`, { method: 'POST', body: 'not json' });
      expect(response.status).toBe(401);
      expect(await response.text()).toBe('missing_or_malformed_credential');
    });

    it('401 is JSON for a well-formed unknown key', async () => {
      const response = await relay.fetch('/v1/models', { headers: { authorization: `Bearer ${good}` } });
      expect(response.status).toBe(401);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(await errorOf(response)).toMatchObject({ code: 'invalid_credential', type: 'authentication_error' });
    });

    it('401 is the same JSON for a revoked key, from the moment it is revoked', async () => {
      const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'short-lived' });
      const list = (): Promise<Response> => relay.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } });
      expect((await list()).status).toBe(200);
      await relay.manage('DELETE', '/keys/short-lived');
      const refused = await list();
      expect(refused.status).toBe(401);
      expect((await errorOf(refused)).code).toBe('invalid_credential');
    });

    it('accepts the scheme in any case', async () => {
      const response = await relay.fetch('/v1/models', { headers: { authorization: `bEaReR  ${relay.apiKey} ` } });
      expect(response.status).toBe(200);
    });
  });

  it('403 when the key may not run inference', async () => {
    const { key } = await relay.manage<{ key: string }>('POST', '/keys', { name: 'reader', scopes: ['models:read'] });
    const headers = { authorization: `Bearer ${key}` };
    expect((await relay.fetch('/v1/models', { headers })).status).toBe(200);
    const response = await relay.chat(hello, { headers });
    expect(response.status).toBe(403);
    expect((await errorOf(response)).code).toBe('insufficient_scope');
  });

  describe('404', () => {
    it.each([
      ['GET', '/v1/nope'],
      ['GET', '/v1/chat/completions'],
      ['DELETE', '/v1/models'],
      ['GET', '/v1/models/tiny'],
      ['POST', '/v1/embeddings'],
      ['POST', '/v1/v1/chat/completions'],
      ['GET', '/models'],
      ['GET', '/nothing'],
    ])('404 is JSON for %s %s, with and without a credential', async (method, route) => {
      for (const headers of [{ authorization: `Bearer ${relay.apiKey}` }, { authorization: '' }]) {
        const response = await relay.fetch(route, { method, headers });
        expect(response.status).toBe(404);
        expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json/);
        expect((await errorOf(response)).code).toBe('route_not_found');
      }
    });

    it.each(['cl_doesnotexist0', 'nonsense', 'cl_', "cl_'; drop table cluster;--"])(
      'for the cluster %j',
      async (pin) => {
        for (const response of [
          await relay.fetch('/v1/models', { headers: { 'x-cluster-id': pin } }),
          await relay.chat(hello, { headers: { 'x-cluster-id': pin } }),
        ]) {
          expect(response.status).toBe(404);
          expect((await errorOf(response)).code).toBe('cluster_not_found');
        }
      },
    );

    it('treats an empty X-Cluster-ID as an unknown cluster, and refuses two', async () => {
      const empty = await relay.fetch('/v1/models', { headers: { 'x-cluster-id': '' } });
      expect(empty.status).toBe(404);
      expect(await empty.json()).toMatchObject({ error: { code: 'cluster_not_found' } });
      const pin = relay.credentials.cluster_id;
      const twice = await rawGet(`${relay.baseUrl}/v1/models`, [
        'authorization',
        `Bearer ${relay.apiKey}`,
        'x-cluster-id',
        pin,
        'x-cluster-id',
        pin,
      ]);
      expect(twice.status).toBe(400);
    });
  });

  describe('without a node', () => {
    it('503 is the literal plain text, with a reason and Retry-After', async () => {
      const response = await relay.chat(hello);
      expect(response.status).toBe(503);
      expect(await response.text()).toBe('no node for user');
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'retry-after': '3',
        'x-ferry-reason': 'no_node_online',
        'x-should-retry': 'true',
        'x-request-id': expect.stringMatching(/^req_/),
      });
    });

    it('errors of the public routes without a node is the same for a streaming request, with its status', async () => {
      const response = await relay.chat({ ...hello, stream: true });
      expect(response.status).toBe(503);
      expect(await response.text()).toBe('no node for user');
    });

    it('names the pinned cluster as the reason', async () => {
      const response = await relay.chat(hello, { headers: { 'x-cluster-id': relay.credentials.cluster_id } });
      expect(response.headers.get('x-ferry-reason')).toBe('cluster_offline');
    });

    it('lists no models', async () => {
      expect(await (await relay.fetch('/v1/models')).json()).toEqual({ object: 'list', data: [] });
    });
  });

  describe('with a node', () => {
    let engine: FakeEngine;
    let node: TestNode;

    beforeAll(async () => {
      engine = await FakeEngine.start();
      node = await TestNode.start(relay, {
        engines: [{ kind: 'openai-compatible', base_url: engine.url, inputs: ['text'] }],
      });
    }, 60_000);

    afterAll(async () => {
      await node.stop();
      await engine.stop();
    }, 30_000);

    it('404 for an unknown model', async () => {
      const response = await relay.chat({ ...hello, model: 'absent' });
      expect(response.status).toBe(404);
      expect(await errorOf(response)).toMatchObject({ code: 'model_not_found', type: 'not_found_error' });
    });

    it.each([
      ['a body that is not JSON', '{"model":', 'invalid_json', null],
      ['a list', '[]', 'invalid_json', null],
      ['a string', '"x"', 'invalid_json', null],
      ['an empty body', '', 'invalid_json', null],
      ['deep nesting', `{"model":"fake","messages":${'['.repeat(100)}${']'.repeat(100)}}`, 'invalid_json', null],
      ['no model', '{"messages":[{"role":"user","content":"x"}]}', 'invalid_request', 'model'],
      ['a model that is no string', '{"model":1,"messages":[]}', 'invalid_request', 'model'],
      ['no messages', '{"model":"fake"}', 'invalid_request', 'messages'],
      ['empty messages', '{"model":"fake","messages":[]}', 'invalid_request', 'messages'],
      [
        'a stream that is not a boolean',
        '{"model":"fake","stream":"yes","messages":[{"role":"user","content":"x"}]}',
        'invalid_request',
        'stream',
      ],
      [
        'an unknown role',
        '{"model":"fake","messages":[{"role":"wizard","content":"x"}]}',
        'invalid_request',
        'messages[0].role',
      ],
    ])('400 for %s', async (_name, body, code, param) => {
      const response = await relay.fetch('/v1/chat/completions', { method: 'POST', body });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({ code, param, type: 'invalid_request_error' });
      expect(engine.calls).toHaveLength(0);
    });

    it('400 for invalid UTF-8', async () => {
      const body = Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]);
      const response = await relay.fetch('/v1/chat/completions', { method: 'POST', body });
      expect((await errorOf(response)).code).toBe('invalid_json');
    });

    it('400 for a content type that is not JSON, and for an unknown encoding', async () => {
      const body = JSON.stringify(hello);
      const xml = await relay.fetch('/v1/chat/completions', {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/xml' },
      });
      expect((await errorOf(xml)).code).toBe('unsupported_content_type');
      const squeezed = await relay.fetch('/v1/chat/completions', {
        method: 'POST',
        body,
        headers: { 'content-encoding': 'compress' },
      });
      expect((await errorOf(squeezed)).code).toBe('unsupported_content_encoding');
    });

    it('400 for an image on a model without image input', async () => {
      const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };
      const response = await relay.chat({ ...hello, messages: [{ role: 'user', content: [image] }] });
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatchObject({
        code: 'unsupported_capability',
        param: 'messages[0].content[0]',
      });
    });

    it("keeps the class and the message of an engine's refusal", async () => {
      engine.respond = (call) => call.json(400, { error: { message: 'context is 512 tokens', type: 'x', code: 400 } });
      const refused = await relay.chat(hello);
      expect(refused.status).toBe(400);
      expect(await errorOf(refused)).toMatchObject({
        code: 'engine_rejected_request',
        message: 'context is 512 tokens',
      });
      engine.respond = (call) => call.json(500, { error: { message: 'boom', type: 'server_error' } });
      const failed = await relay.chat({ ...hello, stream: true });
      expect(failed.status).toBe(503);
      expect(failed.headers.get('x-should-retry')).toBe('false');
      expect((await errorOf(failed)).code).toBe('engine_error');
    });

    it('carries the request id in header and body', async () => {
      const response = await relay.chat({ ...hello, model: 'absent' });
      const id = response.headers.get('x-request-id');
      expect(id).toMatch(/^req_[0-9a-f]{32}$/);
      expect(response.headers.get('request-id')).toBe(id);
      expect(await response.json()).toMatchObject({ request_id: id });
    });

    it('ignores query strings and one trailing slash', async () => {
      expect((await relay.fetch('/v1/models/?limit=1000')).status).toBe(200);
    });
  });

  it('allows CORS on /v1 without credentials, and responds to preflights', async () => {
    const preflight = await fetch(`${relay.baseUrl}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://app.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-cluster-id',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-cluster-id');
    const management = await fetch(`${relay.baseUrl}/api/keys`, { headers: { origin: 'https://app.example' } });
    expect(management.headers.get('access-control-allow-origin')).toBeNull();
  });
});
