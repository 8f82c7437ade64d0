import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ImageFetcher } from './image-fetcher.js';
import { FetchRefusal, PublicWeb, type PublicWebOptions } from './public-web.js';

const PNG = Buffer.from('iVBORw0KGgo=', 'base64');

let server: Server;
let port: number;
let asked: string[];
let result: (request: IncomingMessage, response: ServerResponse) => void;
const webs: PublicWeb[] = [];

beforeEach(async () => {
  asked = [];
  result = (_request, response) => response.writeHead(200, { 'content-type': 'image/png; a=b' }).end(PNG);
  server = createServer((request, response) => {
    asked.push(`${String(request.headers.host)}${String(request.url)}`);
    result(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const web of webs.splice(0)) await web.close();
  server.closeAllConnections();
  server.close();
});

/** For these tests the loopback is the public internet, and everything else is not; `inside.test` leads to both. */
const options: PublicWebOptions = {
  userAgent: 'ferry-node/test',
  isPublic: (address) => address === '127.0.0.1',
  resolve: (host, done) => {
    const hosts: Record<string, string[]> = {
      'public.test': ['127.0.0.1'],
      'inside.test': ['127.0.0.1', '10.0.0.1'],
      'private.test': ['10.0.0.1'],
    };
    const addresses = hosts[host]?.map((address) => ({ address, family: 4 }));
    if (addresses === undefined) done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);
    else done(null, addresses);
  },
};

const fetchAll = (
  addresses: readonly string[],
  { limitBytes = 1_000, timeoutMs = 5_000, signal = new AbortController().signal } = {},
): Promise<ReadonlyMap<string, string>> => {
  const web = new PublicWeb(options);
  webs.push(web);
  return new ImageFetcher({ web, limitBytes, timeoutMs }).fetchAll(new Set(addresses), signal);
};

const refusalOf = async (...args: Parameters<typeof fetchAll>): Promise<FetchRefusal> => {
  const error = await fetchAll(...args).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(FetchRefusal);
  return error as FetchRefusal;
};

describe('an image in the public internet', () => {
  it('an image in the public internet is fetched as a data URI from the checked address', async () => {
    const address = `http://public.test:${port}/a.png?b=c`;
    expect(await fetchAll([address])).toEqual(new Map([[address, `data:image/png;base64,${PNG.toString('base64')}`]]));
    expect(asked).toEqual([`public.test:${port}/a.png?b=c`]);
  });

  it('an image in the public internet may redirect to another public address', async () => {
    result = (request, response) => {
      if (request.url === '/old') response.writeHead(302, { location: '/new' }).end();
      else response.writeHead(200, { 'content-type': 'image/webp' }).end(PNG);
    };
    const address = `http://127.0.0.1:${port}/old`;
    expect((await fetchAll([address])).get(address)).toMatch(/^data:image\/webp;/);
  });

  it.each<[string, string, number, Record<string, string>]>([
    ['a page', 'is no image', 200, { 'content-type': 'text/html' }],
    ['nothing said about what it is', 'is no image', 200, {}],
    ['an SVG, which is a document', 'is no image', 200, { 'content-type': 'image/svg+xml' }],
    ['an error', 'cannot be fetched: the server answers 404', 404, {}],
  ])('an image in the public internet is not %s', async (_, message, status, headers) => {
    result = (_request, response) => response.writeHead(status, headers).end('x');
    const address = `http://public.test:${port}/`;
    expect(await refusalOf([address])).toMatchObject({ message, address });
  });

  it('an image in the public internet is limited in size, over all images of a request', async () => {
    const addresses = [1, 2, 3].map((page) => `http://public.test:${port}/${page}`);
    await fetchAll(addresses, { limitBytes: 3 * PNG.length });
    expect((await refusalOf(addresses, { limitBytes: 3 * PNG.length - 1 })).message).toContain('is too large');
  });

  it('an image in the public internet is limited in time, also while it is being sent', async () => {
    result = (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).write('x');
    expect((await refusalOf([`http://public.test:${port}/`], { timeoutMs: 100 })).message).toBe(
      'was not fetched in time',
    );
  });

  it('an image in the public internet is aborted with the request', async () => {
    const aborting = new AbortController();
    result = () => {
      aborting.abort(new Error('the client has gone'));
    };
    await expect(fetchAll([`http://public.test:${port}/`], { signal: aborting.signal })).rejects.toThrow('has gone');
  });
});

describe('every other address fails with one message', () => {
  it.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://[::1]/',
    'http://0x7f000002/',
    'http://private.test/',
    'http://inside.test/',
    'http://unknown.test/',
  ])('%s', async (address) => {
    expect(await refusalOf([address])).toMatchObject({ message: 'is not an address on the public internet', address });
    expect(asked).toEqual([]);
  });

  it.each(['http://10.0.0.1/', 'http://private.test/', '//private.test/'])(
    'every other address fails with one message also behind a redirect to %s',
    async (location) => {
      result = (_request, response) => response.writeHead(302, { location }).end();
      expect((await refusalOf([`http://public.test:${port}/`])).message).toBe(
        'is not an address on the public internet',
      );
      expect(asked).toHaveLength(1);
    },
  );

  it.each([
    ['file:///etc/passwd', 'is not an http(s) address'],
    ['http://user:secret@public.test/', 'must not contain a user or password'],
  ])('and other addresses are no web addresses: %s', async (location, message) => {
    result = (_request, response) => response.writeHead(302, { location }).end();
    expect((await refusalOf([`http://public.test:${port}/`])).message).toBe(message);
  });

  it('redirects are limited', async () => {
    result = (_request, response) => response.writeHead(302, { location: '/again' }).end();
    expect((await refusalOf([`http://public.test:${port}/`])).message).toContain('too many redirects');
    expect(asked).toHaveLength(4);
  });
});
