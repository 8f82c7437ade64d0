import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import { eventually } from '../../../../../test/support/clock/eventually.js';
import { httpServerOptions } from '../../../../../test/support/relay/http-server-options.js';
import { Loopback, RawClient } from '../../../../../test/support/network/loopback.js';
import { createHttpServer, type HttpServerOptions } from './create-http-server.js';

const options: HttpServerOptions = { ...httpServerOptions, maxHeaderPairs: 20 };

let loopback: Loopback;
let client: RawClient | undefined;
let seen: string[];

beforeEach(() => {
  seen = [];
});

afterEach(async () => {
  client?.destroy();
  await loopback.close();
});

const echo: RequestListener = (req, res) => {
  seen.push(req.url ?? '');
  res.end('hello');
};

async function serve(changes: Partial<HttpServerOptions> = {}, application: RequestListener = echo): Promise<void> {
  loopback = await Loopback.start(createHttpServer(application, { ...options, ...changes }));
}

async function ask(...lines: string[]): Promise<RawClient> {
  client = await RawClient.request(loopback.port, lines);
  await client.until(/\r\n\r\n/);
  return client;
}

const headers = (count: number): string[] => Array.from({ length: count }, (_none, index) => `X-${index}: ${index}`);

function expectWholeError(response: RawClient, status: number): void {
  const [head = '', body = ''] = response.received.split('\r\n\r\n');
  expect(response.status).toBe(status);
  expect(head.toLowerCase()).toContain(`content-length: ${body.length}`);
  expect(head.toLowerCase()).toContain('connection: close');
  expect(/\r\nx-request-id: (req_\w+)/.exec(head)?.[1]).toBe(/\r\nrequest-id: (req_\w+)/.exec(head)?.[1]);
  expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error' } });
}

describe('every response', () => {
  it('names its request in both headers', async () => {
    await serve();
    const { received } = await ask('GET / HTTP/1.1', 'Host: relay');
    const id = /\r\nx-request-id: (req_[0-9a-f]{32})\r\n/.exec(received)?.[1];
    expect(id).toBeDefined();
    expect(/\r\nrequest-id: (req_[0-9a-f]{32})\r\n/.exec(received)?.[1]).toBe(id);
  });
});

describe('headers', () => {
  it('headers may be as many as the limit, and a late one still arrives', async () => {
    await serve({}, (req, res) => res.end(req.headers.authorization));
    const response = await ask('GET / HTTP/1.1', 'Host: relay', ...headers(18), 'Authorization: Bearer last');
    await response.until('Bearer last');
  });

  it('headers are 431 beyond the limit, instead of dropping the last ones', async () => {
    await serve();
    const response = await ask('GET / HTTP/1.1', 'Host: relay', ...headers(20));
    await response.closed;
    expectWholeError(response, 431);
    expect(seen).toEqual([]);
  });

  it('headers are 431 when they are too large', async () => {
    await serve();
    const response = await ask('GET / HTTP/1.1', 'Host: relay', `X-Large: ${'x'.repeat(17_000)}`);
    await response.closed;
    expectWholeError(response, 431);
  });

  it.each([
    ['two hosts', ['GET / HTTP/1.1', 'Host: relay', 'Host: other']],
    ['two lengths', ['POST / HTTP/1.1', 'Host: relay', 'Content-Length: 1', 'Content-Length: 2']],
    ['a length and chunks', ['POST / HTTP/1.1', 'Host: relay', 'Content-Length: 1', 'Transfer-Encoding: chunked']],
    ['a NUL', ['GET / HTTP/1.1', 'Host: relay', 'X-A: \0']],
    ['a folded line', ['GET / HTTP/1.1', 'Host: relay', 'X-A: a', ' b']],
    ['no HTTP', ['hello']],
  ])('headers with %s are 400 and the end of the connection', async (_what, lines) => {
    await serve();
    const response = await ask(...lines);
    await response.closed;
    expect(response.status).toBe(400);
    expect(seen).toEqual([]);
  });

  it('headers without a host are 400, with the body and the request id of every other error', async () => {
    await serve();
    const response = await ask('GET / HTTP/1.1', 'Accept: */*');
    await response.closed;
    expectWholeError(response, 400);
    expect(JSON.parse(response.body)).toMatchObject({ error: { message: expect.stringContaining('Host') as unknown } });
    expect(seen).toEqual([]);
  });

  it('headers of HTTP/1.0 need no host', async () => {
    await serve();
    await (
      await ask('GET /old HTTP/1.0')
    ).closed;
    expect(seen).toEqual(['/old']);
  });

  it('headers that do not come in time are 408', async () => {
    await serve({ headersTimeoutMs: 300, requestTimeoutMs: 1_000, connectionsCheckingIntervalMs: 100 });
    client = await RawClient.connect(loopback.port);
    client.send('GET / HTTP/1.1\r\nHost: rel');
    await client.closed;
    expectWholeError(client, 408);
  });
});

describe('a request behind another one on the same connection', () => {
  it('waits for its turn', async () => {
    let responseFirst: () => void = () => undefined;
    await serve({}, (req, res) => {
      seen.push(req.url ?? '');
      if (req.url === '/1') responseFirst = () => res.end('one');
      else res.end('two');
    });
    client = await RawClient.connect(loopback.port);
    client.send('GET /1 HTTP/1.1\r\nHost: relay\r\n\r\nGET /2 HTTP/1.1\r\nHost: relay\r\n\r\n');
    await eventually('the first has come', () => seen.length === 1);
    responseFirst();
    await client.until(/one[\s\S]+two/);
    expect(seen).toEqual(['/1', '/2']);
  });

  it('a request behind another one on the same connection is never started when its client has disconnected', async () => {
    let firstClosed = false;
    await serve({}, (req, res) => {
      seen.push(req.url ?? '');
      res.once('close', () => (firstClosed = true));
    });
    client = await RawClient.connect(loopback.port);
    client.send('GET /1 HTTP/1.1\r\nHost: relay\r\n\r\nGET /2 HTTP/1.1\r\nHost: relay\r\n\r\n');
    await eventually('the first has come', () => seen.length === 1);
    client.destroy();
    await eventually('the first is over', () => firstClosed);
    expect(seen).toEqual(['/1']);
  });
});

describe('the number of requests of a connection', () => {
  it('the number of requests of a connection is told truly until the last one closes it', async () => {
    await serve({ maxRequestsPerSocket: 3 });
    client = await RawClient.connect(loopback.port);
    const sent: (string | undefined)[] = [];
    for (const path of ['/1', '/2', '/3']) {
      const before = client.received.length;
      client.send(`GET ${path} HTTP/1.1\r\nHost: relay\r\n\r\n`);
      await eventually('it is answered', () => client!.received.slice(before).includes('hello'));
      sent.push(/^(?:keep-alive: .*(max=\d+)|connection: close)/im.exec(client.received.slice(before))?.[1]);
    }
    expect(sent).toEqual(httpServerOptions.fastPath ? ['max=2', 'max=1', undefined] : ['max=3', 'max=3', undefined]);
    await client.closed;
  });
});

describe('web pages', () => {
  beforeEach(() => serve());
  const preflight = [
    'Origin: https://page.test',
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: authorization, x-stainless-os',
  ];

  it('web pages may send preflight requests without a credential', async () => {
    const { received, status } = await ask('OPTIONS /v1/chat/completions HTTP/1.1', 'Host: relay', ...preflight);
    expect(status).toBe(204);
    const head = received.toLowerCase();
    expect(head).toContain('access-control-allow-origin: *\r\n');
    expect(head).toContain('access-control-allow-headers: authorization, x-stainless-os\r\n');
    expect(head).toContain('access-control-allow-methods: get, post\r\n');
    expect(head).not.toContain('access-control-allow-credentials');
    expect(seen).toEqual([]);
  });

  it('web pages may read every answer of the public routes and its headers', async () => {
    const head = (
      await ask('GET /v1/models HTTP/1.1', 'Host: relay', 'Origin: https://page.test')
    ).received.toLowerCase();
    expect(head).toContain('access-control-allow-origin: *\r\n');
    expect(head).toMatch(/access-control-expose-headers: .*x-request-id.*retry-after/);
  });

  it.each(['/api/keys', '/', '/V1/models', '/link/challenge'])('web pages may not read %s', async (path) => {
    const { received } = await ask(`GET ${path} HTTP/1.1`, 'Host: relay', 'Origin: https://page.test');
    expect(received.toLowerCase()).not.toContain('access-control');
    const asked = await ask(`OPTIONS ${path} HTTP/1.1`, 'Host: relay', ...preflight);
    expect(asked.received.toLowerCase()).not.toContain('access-control');
  });
});

describe('a relay that stops', () => {
  /** On a connection that has had a response already. */
  const askAgain = async (line: string): Promise<RawClient> => {
    let closing = false;
    await serve({ closing: () => closing });
    const again = await ask('GET /first HTTP/1.1', 'Host: relay');
    await again.until('hello');
    closing = true;
    again.send(`${line} HTTP/1.1\r\nHost: relay\r\nContent-Length: 0\r\n\r\n`);
    await again.closed;
    return again;
  };
  const lastBody = ({ received }: RawClient): unknown => JSON.parse(received.split('\r\n\r\n').at(-1) ?? '');

  it('answers further requests of a connection with 503 in the format of the route', async () => {
    const { received } = await askAgain('POST /v1/chat/completions');
    expect(received).toContain('HTTP/1.1 503');
    expect(received.toLowerCase()).toContain('retry-after: 2\r\n');
    expect(received.toLowerCase()).toContain('x-should-retry: true\r\n');
    expect(lastBody(client!)).toMatchObject({ error: { code: 'draining', type: 'server_error' } });
    expect(seen).toEqual(['/first']);
  });

  it('says so to clients of every API', async () => {
    await askAgain('POST /v1/messages?beta=true');
    expect(lastBody(client!)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } });
  });

  it('answers probes, and the first request of a connection, and then closes it', async () => {
    await serve({ closing: () => true });
    for (const path of ['/readyz', '/v1/models']) {
      const response = await ask(`GET ${path} HTTP/1.1`, 'Host: relay');
      await response.closed;
      expect(response.status).toBe(200);
    }
    expect(seen).toEqual(['/readyz', '/v1/models']);
  });
});
