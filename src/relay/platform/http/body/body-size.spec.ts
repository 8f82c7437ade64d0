import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import zlib from 'node:zlib';
import { bodyLimits, BodyServer } from '../../../../../test/support/relay/body-server.js';
import { eventually } from '../../../../../test/support/clock/eventually.js';
import { RawClient } from '../../../../../test/support/network/loopback.js';

// Sixteen megabytes through a socket take a moment on a busy machine.
jest.setTimeout(60_000);

const LIMIT = bodyLimits.limitBytes;

let server: BodyServer;
let client: RawClient | undefined;

beforeEach(async () => {
  Logger.overrideLogger(false);
  server = await BodyServer.start();
});

afterEach(async () => {
  client?.destroy();
  await server.close();
  expect(server.budget.heldBytes).toBe(0);
});

const post = ['POST / HTTP/1.1', 'Host: relay', 'Content-Type: application/json'];

/** A JSON object of exactly so many bytes. */
const bodyOf = (bytes: number): Buffer => Buffer.from(`{"a":"${'x'.repeat(bytes - 8)}"}`);

async function sendDeclared(body: Buffer, headers: readonly string[] = []): Promise<RawClient> {
  client = await RawClient.request(server.port, [...post, ...headers, `Content-Length: ${body.byteLength}`]);
  await client.flush(body);
  return client;
}

async function sendChunked(body: Buffer, headers: readonly string[] = []): Promise<RawClient> {
  client = await RawClient.request(server.port, [...post, ...headers, 'Transfer-Encoding: chunked']);
  for (let start = 0; start < body.byteLength && !client.ended; start += 100_000) {
    const part = body.subarray(start, start + 100_000);
    await client.flush(Buffer.concat([Buffer.from(`${part.byteLength.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  }
  client.send('0\r\n\r\n');
  return client;
}

function expectCompleteRefusal(refused: RawClient, status: number, code: string): void {
  const [head = '', body = ''] = refused.received.split('\r\n\r\n');
  expect(refused.status).toBe(status);
  expect(head.toLowerCase()).toContain(`content-length: ${body.length}`);
  expect(head.toLowerCase()).toContain('connection: close');
  expect(head.toLowerCase()).toContain('x-request-id: req_');
  expect(JSON.parse(body)).toMatchObject({ error: { code } });
}

describe('a body with Content-Length', () => {
  it.each([LIMIT - 1, LIMIT])('a body with Content-Length of %d bytes is read', async (size) => {
    await (await sendDeclared(bodyOf(size))).until(`\r\n\r\n${size}`);
  });

  it('a body with Content-Length of 16,777,217 bytes is refused before a byte of it is read', async () => {
    client = await RawClient.request(server.port, [...post, `Content-Length: ${LIMIT + 1}`]);
    await client.until(/"request_id":"req_\w+"}$/);
    expectCompleteRefusal(client, 413, 'request_too_large');
    await client.closed;
    expect(server.bytesRead).toBeLessThan(1_000);
  });

  it('a body with fewer bytes than announced is no request', async () => {
    client = await RawClient.request(server.port, [...post, 'Content-Length: 1000'], '{"a":1}');
    client.socket.end();
    await eventually('the client is gone', () => server.gone === 1);
    await client.closed;
    expect(server.bodies).toHaveLength(0);
  });

  it('a body with more bytes than announced closes the connection', async () => {
    client = await RawClient.request(server.port, [...post, 'Content-Length: 7'], '{"a":1}{"b":2}');
    await client.closed;
    expectCompleteRefusal(client, 400, 'invalid_request');
  });
});

describe('a body in chunks', () => {
  it.each([LIMIT - 1, LIMIT])('a body in chunks of %d bytes is read', async (size) => {
    await (await sendChunked(bodyOf(size))).until(`\r\n\r\n${size}`);
  });

  it('a body in chunks of 16,777,217 bytes is refused', async () => {
    await (await sendChunked(bodyOf(LIMIT + 1))).until(/"request_id":"req_\w+"}$/);
    expectCompleteRefusal(client!, 413, 'request_too_large');
    await client!.closed;
  });

  it('a body in chunks without an end is refused at the limit, and hardly read beyond it', async () => {
    client = await RawClient.request(server.port, [...post, 'Transfer-Encoding: chunked']);
    const part = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, ' '), Buffer.from('\r\n')]);
    while (!client.socket.destroyed) await client.flush(part);
    await client.closed;
    expectCompleteRefusal(client, 413, 'request_too_large');
    await eventually('the connection is counted', () => server.bytesRead > 0);
    expect(server.bytesRead).toBeLessThan(17 * 1_048_576);
  });
});

describe('a compressed body', () => {
  const random = (bytes: number): Buffer => {
    // Digits compress to about a half: far from the limit of the ratio.
    let text = '';
    while (text.length < bytes) text += Math.random().toString().slice(2);
    return Buffer.from(`{"a":"${text.slice(0, bytes - 8)}"}`);
  };

  it.each([
    ['gzip', zlib.gzipSync],
    ['x-gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
  ])('a compressed body in %s is read', async (encoding, compress) => {
    const body = random(100_000);
    await (await sendDeclared(compress(body), [`Content-Encoding: ${encoding}`])).until('\r\n\r\n100000');
    expect(server.bodies[0]!.raw.equals(body)).toBe(true);
  });

  const { zstdCompressSync } = zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer };
  it(`in zstd is ${zstdCompressSync === undefined ? 'a 400: this Node cannot' : 'read: this Node can'}`, async () => {
    const body = random(100_000);
    const sent = await sendDeclared(zstdCompressSync?.(body) ?? body, ['Content-Encoding: zstd']);
    await sent.until(zstdCompressSync === undefined ? 'unsupported_content_encoding' : '\r\n\r\n100000');
  });

  it('a compressed body may decompress to the limit and not one byte beyond', async () => {
    const options = { level: 1 };
    await (
      await sendDeclared(zlib.gzipSync(random(LIMIT), options), ['Content-Encoding: gzip'])
    ).until(`\r\n\r\n${LIMIT}`);
    client!.destroy();
    await (
      await sendDeclared(zlib.gzipSync(random(LIMIT + 1), options), ['Content-Encoding: gzip'])
    ).until(/"req_\w+"}$/);
    expect(client!.status).toBe(413);
  });

  it('a compressed body that is a decompression bomb is refused early', async () => {
    const bomb = zlib.gzipSync(Buffer.alloc(64 * 1_048_576));
    await (await sendDeclared(bomb, ['Content-Encoding: gzip'])).until(/"req_\w+"}$/);
    expect(client!.status).toBe(413);
    expect(client!.body).toContain('more than 100 to 1');
  });

  it.each([
    ['is not what it says', Buffer.from('{"a":1}'), 'gzip'],
    ['is cut off', zlib.gzipSync(bodyOf(1_000)).subarray(0, -10), 'gzip'],
    ['is in something else', bodyOf(100), 'compress'],
    ['is wrapped twice', zlib.gzipSync(zlib.brotliCompressSync(bodyOf(100))), 'br, gzip'],
    ['names a property of every object', bodyOf(100), 'constructor'],
  ])('a compressed body that %s is a 400', async (_what, body, encoding) => {
    await (await sendDeclared(body, [`Content-Encoding: ${encoding}`])).until(/"req_\w+"}$/);
    expect(client!.status).toBe(400);
    expect(client!.body).toContain('unsupported_content_encoding');
  });
});
