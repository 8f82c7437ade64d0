/** Requests with an `Upgrade` header, and CONNECT, on real sockets: how they were sent is how clients send them. */
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpServerOptions } from '../../../../../test/support/relay/http-server-options.js';
import { Loopback, RawClient } from '../../../../../test/support/network/loopback.js';
import { createHttpServer, type HttpServerOptions } from '../server/create-http-server.js';

let loopback: Loopback;
let client: RawClient;

afterEach(async () => {
  client.destroy();
  await loopback.close();
});

/** Answers with what it was asked, body included. */
const echo: RequestListener = (req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => (body += chunk.toString()));
  req.on('end', () => res.end(`<${req.method ?? ''} ${req.url ?? ''} ${body}>`));
};

/** A server that somebody upgrades, as the relay's link does: without that Node ignores the header by itself. */
async function serve(changes: Partial<HttpServerOptions> = {}): Promise<void> {
  const server = createHttpServer(echo, { ...httpServerOptions, ...changes });
  server.on('upgrade', (req, socket: Duplex) => socket.end(`upgraded ${req.url ?? ''}`));
  loopback = await Loopback.start(server);
}

/** What Java's HttpClient sends with its first request to a server. */
const h2c = [
  'Host: relay',
  'Connection: Upgrade, HTTP2-Settings',
  'Upgrade: h2c',
  'HTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk',
];
const webSocket = [
  'Host: relay',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

describe('a request with Upgrade', () => {
  it.each([
    ['h2c', h2c],
    ['websocket', webSocket],
  ])('%s on any other path is plain HTTP, and so is the next one on its connection', async (_protocol, headers) => {
    await serve();
    client = await RawClient.request(loopback.port, ['GET /v1/models HTTP/1.1', ...headers]);
    await client.until('<GET /v1/models >');
    expect(client.status).toBe(200);
    client.send('GET /next HTTP/1.1\r\nHost: relay\r\n\r\n');
    await client.until('<GET /next >');
  });

  it('keeps its body, in the packet of the head or after it', async () => {
    await serve();
    client = await RawClient.request(
      loopback.port,
      ['POST /v1/chat/completions HTTP/1.1', ...h2c, 'Content-Length: 5'],
      'whole',
    );
    await client.until('<POST /v1/chat/completions whole>');
    client.send(`POST /a HTTP/1.1\r\n${h2c.join('\r\n')}\r\nContent-Length: 6\r\n\r\n`);
    await client.flush('par');
    await new Promise((resolve) => setTimeout(resolve, 20));
    client.send('ted');
    await client.until('<POST /a parted>');
    client.send(`POST /b HTTP/1.1\r\n${h2c.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`);
    client.send('3\r\ndef\r\n0\r\n\r\n');
    await client.until('<POST /b abcdef>');
  });

  it('a request with Upgrade does not swallow the requests that are sent with it', async () => {
    await serve();
    client = await RawClient.connect(loopback.port);
    client.send(
      `GET /1 HTTP/1.1\r\n${h2c.join('\r\n')}\r\n\r\nPOST /2 HTTP/1.1\r\n${h2c.join('\r\n')}\r\nContent-Length: 3\r\n\r\nabc` +
        'POST /3 HTTP/1.1\r\nHost: relay\r\nContent-Length: 4\r\n\r\nde',
    );
    await client.until(/<GET \/1 >[\s\S]*<POST \/2 abc>/);
    client.send('fgGET /4 HTTP/1.1\r\nHost: relay\r\n\r\n');
    await client.until(/<POST \/3 defg>[\s\S]*<GET \/4 >/);
  });

  it('a request with Upgrade is under the timeouts of every request', async () => {
    await serve({ headersTimeoutMs: 300, requestTimeoutMs: 300, connectionsCheckingIntervalMs: 100 });
    client = await RawClient.request(loopback.port, ['POST /a HTTP/1.1', ...h2c, 'Content-Length: 5'], 'ne');
    await client.closed;
    expect(client.status).toBe(408);
  });

  it.each(['/link', '/link?a=b', 'http://relay/link'])('switches protocols on %s', async (path) => {
    await serve();
    client = await RawClient.request(loopback.port, [`GET ${path} HTTP/1.1`, ...webSocket]);
    await client.until(`upgraded ${path}`);
  });

  it.each(['/linked', '/link/', '/LINK', '/v1/link', '//link', '*'])(
    'a request with Upgrade does not switch on %s',
    async (path) => {
      await serve();
      client = await RawClient.request(loopback.port, [`GET ${path} HTTP/1.1`, ...webSocket]);
      await client.until(`<GET ${path} >`);
    },
  );
});

describe('CONNECT', () => {
  it('CONNECT is answered before its connection ends, and later bytes are no request', async () => {
    await serve();
    client = await RawClient.request(
      loopback.port,
      ['CONNECT other:443 HTTP/1.1', 'Host: other:443'],
      'GET /smuggled HTTP/1.1\r\nHost: relay\r\n\r\n',
    );
    await client.closed;
    expect(client.status).toBe(404);
    expect(client.received.toLowerCase()).toContain('connection: close\r\n');
    expect(JSON.parse(client.body)).toMatchObject({
      error: { code: 'route_not_found', message: expect.stringContaining('CONNECT other:443') as unknown },
    });
  });

  it('CONNECT of a client that resets its connection is harmless', async () => {
    await serve();
    client = await RawClient.request(loopback.port, ['CONNECT other:443 HTTP/1.1', 'Host: other:443']);
    client.socket.resetAndDestroy();
    await once(client.socket, 'close');
    client = await RawClient.request(loopback.port, ['GET /after HTTP/1.1', 'Host: relay']);
    await client.until('<GET /after >');
  });
});
