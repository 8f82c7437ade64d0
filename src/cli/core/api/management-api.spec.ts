import { describe, expect, it } from '@jest/globals';
import { ManagementApi, type Fetch } from './management-api.js';

const connection = { baseUrl: 'http://127.0.0.1:8787', token: 'ferry-cli-secret' };

const responding = (status: number, body: unknown, headers: Record<string, string> = {}): ManagementApi =>
  new ManagementApi(connection, () =>
    Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })),
  );

const failing = (error: Error): ManagementApi => new ManagementApi(connection, () => Promise.reject(error));

const problem = { status: 404, code: 'key_not_found', detail: 'No such key.', param: null, request_id: 'req_9' };

describe('the management API client', () => {
  it('sends the token as bearer, JSON in, JSON out, and follows no redirect', async () => {
    const calls: [string, RequestInit][] = [];
    const fetch: Fetch = (url, init) => {
      calls.push([url, init]);
      return Promise.resolve(Response.json({ name: 'laptop' }));
    };
    const api = new ManagementApi(connection, fetch);
    expect(await api.post('/api/keys', { body: { name: 'laptop' } })).toEqual({ name: 'laptop' });
    const [url, init] = calls[0]!;
    expect(url).toBe('http://127.0.0.1:8787/api/keys');
    expect(init).toMatchObject({ method: 'POST', redirect: 'error', body: '{"name":"laptop"}' });
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer ferry-cli-secret');
  });

  it('fills in the names of the path and the defined parameters, both encoded', async () => {
    const urls: string[] = [];
    const api = new ManagementApi(connection, (url) => {
      urls.push(url);
      return Promise.resolve(Response.json({ object: 'list', data: [] }));
    });
    await api.delete('/api/keys/{idOrName}', { path: { idOrName: 'a/b' } });
    await api.list('/api/usage/requests', { query: { since: '1h', model: undefined, limit: 2 } });
    expect(urls.map((url) => url.slice(connection.baseUrl.length))).toEqual([
      '/api/keys/a%2Fb',
      '/api/usage/requests?since=1h&limit=2',
    ]);
  });

  it('asks for every page of a list with the same parameters', async () => {
    const urls: string[] = [];
    const api = new ManagementApi(connection, (url) => {
      urls.push(url);
      const more = urls.length === 1;
      return Promise.resolve(Response.json({ data: [urls.length], has_more: more, next_cursor: more ? 'c=1' : null }));
    });
    expect(await api.list('/api/operations', { query: { limit: 1 } })).toEqual([1, 2]);
    expect(urls[1]).toBe(`${connection.baseUrl}/api/operations?limit=1&cursor=c%3D1`);
  });

  it('hands out the data of a list', async () => {
    expect(await responding(200, { object: 'list', data: [1, 2] }).list('/api/keys')).toEqual([1, 2]);
  });

  it('accepts an answer without a body', async () => {
    const api = new ManagementApi(connection, () => Promise.resolve(new Response(null, { status: 204 })));
    expect(await api.delete('/api/clusters/{clusterId}', { path: { clusterId: 'x' } })).toEqual({});
  });

  it("passes on the relay's error, with its request id", async () => {
    await expect(responding(404, problem).get('/api/whoami')).rejects.toMatchObject({
      code: 'key_not_found',
      message: 'No such key.',
      requestId: 'req_9',
      exitCode: 5,
    });
  });

  it.each([
    [400, {}, 1],
    [401, {}, 4],
    [403, {}, 1],
    [404, {}, 5],
    [429, {}, 1],
    [500, {}, 1],
    [503, {}, 1],
    [503, { 'x-ferry-reason': 'no_node_online' }, 6],
  ])('ends status %i %p with exit code %i', async (status, headers, exitCode) => {
    await expect(responding(status, { detail: 'x' }, headers).get('/api/whoami')).rejects.toMatchObject({ exitCode });
  });

  it('exits 3 without an answer, naming the reason but no secret', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const error = await failing(new TypeError('fetch failed', { cause }))
      .get('/api/whoami')
      .catch((thrown: unknown) => thrown as Error);
    expect(error).toMatchObject({
      exitCode: 3,
      message: 'cannot reach the relay at http://127.0.0.1:8787 (ECONNREFUSED)',
    });
    expect(JSON.stringify(error)).not.toContain('secret');
  });

  it.each([
    ['ENOTFOUND', 'is 127.0.0.1 spelled right, and is this computer online?'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'there is no TLS on that port: http://127.0.0.1:8787'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'ferry doctor http://127.0.0.1:8787'],
    ['ECONNREFUSED', 'is it running? ferry up starts one here; --base-url names another'],
  ])('says for %s what to do', async (code, hint) => {
    const cause = Object.assign(new Error('connect'), { code });
    await expect(failing(new TypeError('fetch failed', { cause })).get('/api/whoami')).rejects.toMatchObject({ hint });
  });

  it('ends with 3 when the answer does not come in time', async () => {
    const error = Object.assign(new Error('late'), { name: 'TimeoutError' });
    await expect(failing(error).get('/api/whoami')).rejects.toMatchObject({ exitCode: 3 });
  });

  it('aborts a feed in which three keep-alives are missing, as often as its relay sends them', async () => {
    const feed = new ManagementApi(connection, () => {
      const body = new ReadableStream({
        start: (controller) => {
          controller.enqueue(Buffer.from('event: change\ndata: {}\n\n'));
        },
      });
      return Promise.resolve(new Response(body, { headers: { 'x-ferry-keep-alive-ms': '20' } }));
    });
    const events: unknown[] = [];
    const reading = (async () => {
      for await (const { event } of feed.events('/api/events', new AbortController().signal)) events.push(event);
    })();
    await expect(reading).rejects.toMatchObject({ exitCode: 3 });
    expect(events).toEqual(['open', 'change']);
  });

  it('recognises a server that is not a relay', async () => {
    await expect(responding(200, '<html>').get('/api/whoami')).rejects.toMatchObject({ code: 'unexpected_answer' });
    await expect(responding(200, {}).list('/api/keys')).rejects.toMatchObject({ code: 'unexpected_answer' });
    await expect(responding(502, '<html>').get('/api/whoami')).rejects.toMatchObject({ code: 'http_502', exitCode: 1 });
  });
});
