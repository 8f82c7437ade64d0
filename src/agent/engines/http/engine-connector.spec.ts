import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client, Pool } from 'undici';
import { engineConnector } from './engine-connector.js';
import { dispatch, type EngineHttpResponse } from './response-handler.js';

const CHUNK = Buffer.alloc(300, 'x');
const RESPONSE_CHUNKS = 60_000;
const UNREAD_LIMIT_BYTES = 32 * 1024;

describe('a connection to an engine', () => {
  let server: Server;
  let client: Client;
  let socket: Socket | undefined;

  const connectTo = async (result: (response: ServerResponse) => void): Promise<void> => {
    server = createServer((_request, response) => result(response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connect = engineConnector(1_000);
    client = new Client(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      bodyTimeout: 0,
      connect: (options, callback) => {
        connect(options, (...result) => {
          if (result[0] === null) socket = result[1];
          callback(...result);
        });
      },
    });
  };

  afterEach(async () => {
    await client.destroy();
    server.closeAllConnections();
    server.close();
  });

  it('buffers a bounded part of an answer for a slow reader, and loses nothing', async () => {
    await connectTo((response) => {
      for (let chunk = 0; chunk < RESPONSE_CHUNKS; chunk += 1) response.write(CHUNK);
      response.end('end');
    });
    const { body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
    let most = 0;
    let bytes = 0;
    let last = '';
    await body.pipe({
      satisfied: false,
      take: (chunk) => {
        bytes += chunk.length;
        last = chunk.toString('latin1').slice(-3);
        most = Math.max(most, socket?.readableLength ?? Infinity);
        return turn();
      },
    });
    expect({ bytes, last }).toEqual({ bytes: CHUNK.length * RESPONSE_CHUNKS + 3, last: 'end' });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(UNREAD_LIMIT_BYTES);
  });

  it('a connection to an engine is reused after a paused answer, without mixing answers', async () => {
    await connectTo((response) => {
      for (let chunk = 0; chunk < 2_000; chunk += 1) response.write(CHUNK);
      response.end();
    });
    const sockets = new Set<Socket | undefined>();
    for (let asked = 0; asked < 3; asked += 1) {
      const { body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
      let text = '';
      await body.pipe({
        satisfied: false,
        take: (chunk) => {
          text += chunk.toString('latin1');
          return turn();
        },
      });
      expect(text).toBe('x'.repeat(CHUNK.length * 2_000));
      sockets.add(socket);
    }
    expect(sockets.size).toBe(1);
  });

  it('yields every byte of paused answers in order, and complete heads that come in several reads', async () => {
    const numbered = (from: string): string => Array.from({ length: 40_000 }, (_none, at) => `${from}${at},`).join('');
    const longHeader = 'h'.repeat(12_000);
    let responses = 0;
    await connectTo((response) => {
      responses += 1;
      response.writeHead(200, { 'x-first': `${responses}`, 'x-long': longHeader, 'x-last': `${responses}` });
      response.end(numbered(`${responses}:`));
    });
    for (let asked = 1; asked <= 3; asked += 1) {
      const { headers, body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
      expect(headers).toMatchObject({ 'x-first': `${asked}`, 'x-long': longHeader, 'x-last': `${asked}` });
      // Much of the body comes before its reader does.
      await delay(20);
      let text = '';
      if (asked === 2) text = (await body.text(1_000_000)) ?? '';
      else await body.pipe({ satisfied: false, take: (chunk) => ((text += chunk.toString('latin1')), turn()) });
      expect(text === numbered(`${asked}:`)).toBe(true);
    }
  });
});

describe('connections to one engine', () => {
  let server: TcpServer;
  let client: Pool;
  let served: ((socket: Socket) => Promise<void>)[];

  beforeEach(async () => {
    served = [];
    server = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => void served.shift()?.(socket));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    client = new Pool(`http://127.0.0.1:${port}`, { pipelining: 1, bodyTimeout: 0, connect: engineConnector(1_000) });
  });

  afterEach(async () => {
    await client.destroy();
    server.close();
  });

  const ask = async (response: (socket: Socket) => Promise<void>): Promise<EngineHttpResponse> => {
    served.push(response);
    return dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
  };

  /** Writes the parts with other connections' reads between them. */
  const inParts =
    (...parts: string[]) =>
    async (socket: Socket): Promise<void> => {
      for (const part of parts) {
        socket.write(part);
        await delay(15);
        await noise();
      }
      socket.end();
    };

  const noise = async (): Promise<void> => {
    const { body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
    expect(await body.text(10_000)).toBe('n'.repeat(5_000));
  };
  const responseNoise = (socket: Socket): Promise<void> => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 5000\r\n\r\n${'n'.repeat(5_000)}`);
    return Promise.resolve();
  };

  it.each([
    ['in one read', ['HTTP/1.1 200 OK\r\nx-a: first\r\nx-b: second\r\n\r\nsome ', 'text']],
    ['in several', ['HTTP/1.1 200 OK\r\nx-a: fi', 'rst\r\nx-b: sec', 'ond\r\n\r\nsome text']],
    ['cut in its end', ['HTTP/1.1 200 OK\r\nx-a: first\r\nx-b: second\r\n\r', '\nsome text']],
    [
      'behind an interim response',
      ['HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\nx-a: first\r\nx-b: ', 'second\r\n\r\nsome text'],
    ],
    ['with a byte per read', Array.from('HTTP/1.1 200 OK\r\nx-a: first\r\nx-b: second\r\n\r\nsome text')],
  ])('connections to one engine do not mix while a head comes %s', async (_how, parts) => {
    const response = ask(inParts(...parts));
    served.push(...parts.map(() => responseNoise));
    const { headers, body } = await response;
    expect(headers).toMatchObject({ 'x-a': 'first', 'x-b': 'second' });
    expect(await body.text(1_000)).toBe('some text');
  });

  it('connections to one engine do not mix what waits for a slow reader', async () => {
    const digits = Array.from({ length: 9 }, (_none, at) => `${at}`);
    const inChunks = digits.map((digit) => `1f4\r\n${digit.repeat(500)}\r\n`.repeat(14));
    const response = ask(inParts('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', ...inChunks, '0\r\n\r\n'));
    served.push(...Array.from({ length: 11 }, () => responseNoise));
    const { body } = await response;
    let text = '';
    await body.pipe({
      satisfied: false,
      take: (chunk) => ((text += chunk.toString('latin1')), delay(40).then(() => undefined)),
    });
    expect(text).toBe(digits.map((digit) => digit.repeat(7_000)).join(''));
  });
});
