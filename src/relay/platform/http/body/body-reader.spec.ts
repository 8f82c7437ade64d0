import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { BodyServer, type BodyServerOptions } from '../../../../../test/support/relay/body-server.js';
import { eventually } from '../../../../../test/support/clock/eventually.js';
import { RawClient } from '../../../../../test/support/network/loopback.js';

jest.setTimeout(30_000);

let server: BodyServer;
let client: RawClient | undefined;

beforeEach(() => {
  Logger.overrideLogger(false);
});

afterEach(async () => {
  client?.destroy();
  await server.close();
  await eventually('all memory is given back', () => server.budget.heldBytes === 0);
});

async function serve(options: BodyServerOptions = {}): Promise<void> {
  server = await BodyServer.start(options);
}

async function post(
  body: string | Buffer,
  headers: readonly string[] = ['Content-Type: application/json'],
): Promise<RawClient> {
  client = await RawClient.request(server.port, [
    'POST / HTTP/1.1',
    'Host: relay',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]);
  client.send(body);
  await client.until(/\r\n\r\n[\s\S]+/);
  return client;
}

describe.each([
  ['read while the body arrives', false],
  ['read when a small body has arrived', true],
  ['read when a small body has arrived with its head', 'microtask'],
] as const)('body formats, %s', (_when, readsLater) => {
  beforeEach(() => serve({ readsLater }));

  it.each([
    ['an object', '{"a":1}', { a: 1 }],
    ['an object behind a byte order mark', Buffer.from('\ufeff{"a":1}'), { a: 1 }],
    ['an object with a key twice', '{"a":1,"a":2}', { a: 2 }],
    ['an object with half a surrogate pair', String.raw`{"a":"\ud83d"}`, { a: '\ud83d' }],
    ['an object with a number beyond doubles', '{"a":1e400}', { a: Infinity }],
  ])('%s', async (_what, body, json) => {
    expect((await post(body)).status).toBe(200);
    expect(server.bodies[0]!.json).toEqual(json);
  });

  it.each([
    ['nothing', ''],
    ['an array', '[1]'],
    ['a string', '"a"'],
    ['null', 'null'],
    ['two objects', '{}{}'],
    ['half an object', '{"a":'],
    ['NaN', '{"a":NaN}'],
    ['a single quote', "{'a':1}"],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['an object nested 65 deep', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`],
    ['an endless beginning', '[{"a":'.repeat(100_000)],
  ])('do not include %s', async (_what, body) => {
    const refused = await post(body);
    expect(refused.status).toBe(400);
    expect(JSON.parse(refused.body)).toMatchObject({ error: { code: 'invalid_json', type: 'invalid_request_error' } });
  });

  it('__proto__ is plain data', async () => {
    await post('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(Object.keys(server.bodies[0]!.json)).toEqual(['__proto__', 'constructor']);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it('a body is forwarded byte for byte', async () => {
    const text = '{ "seed": 9007199254740993, "a":1.0,\n"b":"\\u00e9" }';
    await post(text);
    expect(server.bodies[0]!.raw.toString()).toBe(text);
  });

  it('the last value of a repeated key alone is checked and forwarded, as long as the body may be', async () => {
    for (const filling of ['x', 'x'.repeat(2_000_000)]) {
      await post(`{"image_url":"https://one","filling":"${filling}", "image_url":"two","seed":9007199254740993}`);
      const { raw, json } = server.bodies.at(-1)!;
      expect(json['image_url']).toBe('two');
      expect(raw.toString()).toBe(`{"filling":"${filling}", "image_url":"two","seed":9007199254740993}`);
    }
  });

  it('a large body is parsed in a worker: its bytes are kept, and only the envelope is readable', async () => {
    const image = 'i'.repeat(3_000_000);
    const text = JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content: image }] });
    await post(text);
    const { raw, json } = server.bodies[0]!;
    expect(raw.toString() === text).toBe(true);
    expect(json).toEqual({ model: 'tiny', messages: [{ role: 'user', content: image.slice(0, 65_536) }] });
  });

  it('a large invalid body is a 400 as well', async () => {
    expect((await post(`{"a":"${'x'.repeat(2_000_000)}"`)).status).toBe(400);
    expect((await post(`["${'x'.repeat(2_000_000)}"]`)).status).toBe(400);
  });

  it.each([
    [[]],
    [['Content-Type: Application/JSON ; charset=utf-8']],
    [['Content-Type: application/vnd.api+json']],
    [['Content-Type: application/x-www-form-urlencoded']],
  ])('are accepted with the headers %j', async (headers: string[]) => {
    expect((await post('{"a":1}', headers)).status).toBe(200);
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/jsonp', 'application/xml+json/x'])(
    'are refused with the content type %s',
    async (type) => {
      const refused = await post('{"a":1}', [`Content-Type: ${type}`]);
      expect(refused.status).toBe(400);
      expect(refused.body).toContain('unsupported_content_type');
    },
  );
});

describe('memory for bodies', () => {
  const begin = (account: string, bytes: number): Promise<RawClient> =>
    RawClient.request(
      server.port,
      ['POST / HTTP/1.1', 'Host: relay', `X-Account: ${account}`, `Content-Length: ${bytes}`],
      '{',
    );

  it('memory for bodies is limited per account with Retry-After, without affecting others', async () => {
    await serve({ perAccountBytes: 10_000, totalBytes: 100_000 });
    const first = await begin('acc_a', 6_000);
    await eventually('it is held', () => server.budget.heldBytes === 6_000);
    const second = await begin('acc_a', 6_000);
    await second.until(/"req_\w+"}$/);
    expect(second.status).toBe(429);
    expect(second.received.toLowerCase()).toMatch(/retry-after: \d+\r\n/);
    expect(second.body).toContain('rate_limit_exceeded');
    const other = await begin('acc_b', 6_000);
    await eventually('it is held', () => server.budget.heldBytes === 12_000);
    for (const open of [first, second, other]) open.destroy();
  });

  it('memory for bodies is bounded for the whole relay', async () => {
    await serve({ perAccountBytes: 100_000, totalBytes: 10_000 });
    const first = await begin('acc_a', 6_000);
    await eventually('it is held', () => server.budget.heldBytes === 6_000);
    const second = await begin('acc_b', 6_000);
    await second.until(/"req_\w+"}$/);
    expect(second.status).toBe(503);
    expect(second.received.toLowerCase()).toMatch(/retry-after: \d+\r\n/);
    expect(second.body).toContain('overloaded');
    first.destroy();
    second.destroy();
    await eventually('it is given back', () => server.budget.heldBytes === 0);
  });

  it('counts chunks as they come', async () => {
    await serve({ perAccountBytes: 10_000, totalBytes: 10_000 });
    client = await RawClient.request(server.port, ['POST / HTTP/1.1', 'Host: relay', 'Transfer-Encoding: chunked']);
    client.send(`1000\r\n${' '.repeat(4_096)}\r\n`);
    await eventually('it is held', () => server.budget.heldBytes === 4_096);
    client.send(`2000\r\n${' '.repeat(8_192)}\r\n`);
    await client.until(/"req_\w+"}$/);
    expect(client.status).toBe(503);
  });

  it('memory for bodies is held until the body is released, or else until the response is over', async () => {
    await serve({
      onBody: (body, _req, res) => {
        expect(server.budget.heldBytes).toBe(7);
        if (body.json['a'] === 1) body.release();
        setImmediate(() => res.end('done'));
      },
    });
    await post('{"a":1}');
    await eventually('it is given back', () => server.budget.heldBytes === 0);
    await post('{"a":2}');
    await eventually('it is given back', () => server.budget.heldBytes === 0);
  });
});

describe('a client that is slow or leaves', () => {
  it('a client that aborts its upload is recorded as disconnected', async () => {
    await serve();
    client = await RawClient.request(server.port, ['POST / HTTP/1.1', 'Host: relay', 'Content-Length: 100'], '{"a"');
    await eventually('it is held', () => server.budget.heldBytes === 100);
    client.destroy();
    await eventually('it is noticed', () => server.gone === 1);
    expect(server.bodies).toHaveLength(0);
  });

  it('a client that uploads a few bytes at a time is disconnected', async () => {
    await serve({ limits: { uploadFloorBytesPerSecond: 8_192, uploadFloorWindowMs: 200 } });
    client = await RawClient.request(server.port, ['POST / HTTP/1.1', 'Host: relay', 'Content-Length: 1000'], '{"a"');
    await client.closed;
    expect(client.received).toBe('');
    expect(server.gone).toBe(1);
  });

  it('a client that keeps up is not disconnected', async () => {
    await serve({ limits: { uploadFloorBytesPerSecond: 1_000, uploadFloorWindowMs: 100 } });
    client = await RawClient.request(server.port, ['POST / HTTP/1.1', 'Host: relay', 'Transfer-Encoding: chunked']);
    const end = performance.now() + 500;
    client.send('1\r\n{\r\n');
    while (performance.now() < end) {
      await client.flush(`400\r\n${' '.repeat(1_024)}\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    client.send('1\r\n}\r\n0\r\n\r\n');
    await client.until('HTTP/1.1 200');
  });
});

describe('a body of a refused request', () => {
  it('a body of a refused request is hardly read, and its sender can read the whole refusal', async () => {
    await serve();
    client = await RawClient.request(server.port, [
      'POST /unread HTTP/1.1',
      'Host: relay',
      'Transfer-Encoding: chunked',
    ]);
    const part = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(65_536, 'x'), Buffer.from('\r\n')]);
    while (!client.socket.closed) await client.flush(part);
    expect(client.status).toBe(500);
    expect(client.received.toLowerCase()).toContain('connection: close');
    expect(JSON.parse(client.body)).toMatchObject({ error: { code: 'internal_error' } });
    await eventually('the connection is counted', () => server.bytesRead > 0);
    expect(server.bytesRead).toBeLessThan(1_048_576);
  });

  it('a body of a refused request is read to its end when that is near, and the connection closes at once and in order', async () => {
    await serve({ lingerMs: 20_000 });
    client = await RawClient.request(server.port, [
      'POST /unread HTTP/1.1',
      'Host: relay',
      'Transfer-Encoding: chunked',
    ]);
    await client.until(/"req_\w+"}$/);
    const answeredAt = performance.now();
    await client.flush(`c350\r\n${'x'.repeat(50_000)}\r\n0\r\n\r\n`);
    await client.closed;
    expect(client.ended).toBe(true);
    expect(performance.now() - answeredAt).toBeLessThan(10_000);
  });

  it('a body of a refused request is not read to its end when that is far, and the connection closes after a moment', async () => {
    await serve({ lingerMs: 300 });
    client = await RawClient.request(server.port, ['POST /unread HTTP/1.1', 'Host: relay', 'Content-Length: 10000000']);
    await client.until(/"req_\w+"}$/);
    await client.closed;
    expect(client.received.toLowerCase()).toContain('connection: close');
  });

  it('keeps its connection when it is short', async () => {
    await serve();
    const request = 'POST /unread HTTP/1.1\r\nHost: relay\r\nContent-Length: 3\r\n\r\nabc';
    client = await RawClient.connect(server.port);
    client.send(request);
    await client.until('internal_error');
    expect(client.received.toLowerCase()).not.toContain('connection: close');
    client.send(request);
    await client.until(/internal_error[\s\S]+internal_error/);
  });
});

describe('a small body that arrives with its head', () => {
  const request =
    'POST / HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{"a":1}';
  const ends: boolean[] = [];

  beforeEach(() => {
    ends.length = 0;
    return serve({
      readsLater: 'microtask',
      onBody: (_body, req, res) => {
        ends.push(req.complete);
        req.on('end', () => {
          ends.push(req.complete);
          res.end('ended');
        });
      },
    });
  });

  it('a small body that arrives with its head is read before Node has seen the end of the request, which follows', async () => {
    client = await RawClient.connect(server.port);
    client.send(request);
    await client.until('ended');
    expect(ends).toEqual([false, true]);
  });

  it('leaves the connection to the next request, and those behind it', async () => {
    client = await RawClient.connect(server.port);
    client.send(request);
    await client.until('ended');
    client.send(request + request);
    await client.until(/ended[\s\S]+ended[\s\S]+ended/);
    expect(server.bodies.map(({ json }) => json)).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
    expect(client.received.toLowerCase()).not.toContain('connection: close');
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (path: string, length: number): string[] => [
    `POST ${path} HTTP/1.1`,
    'Host: relay',
    'Expect: 100-continue',
    `Content-Length: ${length}`,
  ];

  it('gets a 100 when the body will be read', async () => {
    await serve();
    client = await RawClient.request(server.port, expecting('/', 7));
    await client.until('HTTP/1.1 100 Continue\r\n\r\n');
    client.send('{"a":1}');
    await client.until('HTTP/1.1 200');
  });

  it.each([
    ['/unread', 7, 500],
    ['/', 16_777_217, 413],
  ])('Expect: 100-continue is refused without a 100 (%s, %d bytes)', async (path, length, status) => {
    await serve();
    client = await RawClient.request(server.port, expecting(path, length));
    await client.until(/"req_\w+"}$/);
    expect(client.status).toBe(status);
    expect(client.received).not.toContain('100 Continue');
    await client.closed;
  });
});
