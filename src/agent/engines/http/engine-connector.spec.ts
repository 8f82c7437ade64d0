import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from 'undici';
import { engineConnector } from './engine-connector.js';
import { dispatch } from './reply-handler.js';

const PIECE = Buffer.alloc(300, 'x');
const ANSWER_PIECES = 60_000;
const UNREAD_LIMIT_BYTES = 32 * 1024;

describe('a connection to an engine', () => {
  let server: Server;
  let client: Client;
  let socket: Socket | undefined;

  const connectTo = async (answer: (response: ServerResponse) => void): Promise<void> => {
    server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
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
      for (let piece = 0; piece < ANSWER_PIECES; piece += 1) response.write(PIECE);
      response.end('end');
    });
    const { body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
    let most = 0;
    let bytes = 0;
    let last = '';
    await body.pipe({
      satisfied: false,
      take: (piece) => {
        bytes += piece.length;
        last = piece.toString('latin1').slice(-3);
        most = Math.max(most, socket?.readableLength ?? Infinity);
        return turn();
      },
    });
    expect({ bytes, last }).toEqual({ bytes: PIECE.length * ANSWER_PIECES + 3, last: 'end' });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(UNREAD_LIMIT_BYTES);
  });

  it('is reused after a paused answer, without mixing answers', async () => {
    await connectTo((response) => {
      for (let piece = 0; piece < 2_000; piece += 1) response.write(PIECE);
      response.end();
    });
    const sockets = new Set<Socket | undefined>();
    for (let asked = 0; asked < 3; asked += 1) {
      const { body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
      let text = '';
      await body.pipe({
        satisfied: false,
        take: (piece) => {
          text += piece.toString('latin1');
          return turn();
        },
      });
      expect(text).toBe('x'.repeat(PIECE.length * 2_000));
      sockets.add(socket);
    }
    expect(sockets.size).toBe(1);
  });

  it('yields every byte of paused answers in order, and complete heads that come in several reads', async () => {
    const numbered = (from: string): string => Array.from({ length: 40_000 }, (_none, at) => `${from}${at},`).join('');
    const longHeader = 'h'.repeat(12_000);
    let answers = 0;
    await connectTo((response) => {
      answers += 1;
      response.writeHead(200, { 'x-first': `${answers}`, 'x-long': longHeader, 'x-last': `${answers}` });
      response.end(numbered(`${answers}:`));
    });
    for (let asked = 1; asked <= 3; asked += 1) {
      const { headers, body } = await dispatch(client, { method: 'GET', path: '/' }, new AbortController().signal);
      expect(headers).toMatchObject({ 'x-first': `${asked}`, 'x-long': longHeader, 'x-last': `${asked}` });
      // Much of the body comes before its reader does.
      await delay(20);
      let text = '';
      if (asked === 2) text = (await body.text(1_000_000)) ?? '';
      else await body.pipe({ satisfied: false, take: (piece) => ((text += piece.toString('latin1')), turn()) });
      expect(text === numbered(`${asked}:`)).toBe(true);
    }
  });
});
