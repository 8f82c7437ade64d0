import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { dialRelay, type DialError, type DialOptions } from './dial-relay.js';

let server: Server;
let challenge: { status: number; body: string; headers?: Record<string, string> };
let upgradeHeaders: Record<string, unknown>;

beforeEach(async () => {
  challenge = { status: 200, body: '{"nonce":"n1"}' };
  const sockets = new WebSocketServer({ noServer: true });
  server = createServer((_request, response) => {
    response.writeHead(challenge.status, challenge.headers).end(challenge.body);
  });
  server.on('upgrade', (request, socket, head) => {
    upgradeHeaders = request.headers;
    sockets.handleUpgrade(request, socket, head, (websocket) => {
      websocket.send(Buffer.from('with the handshake'));
      websocket.send(Buffer.from('and behind it'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const dial = (options: Partial<DialOptions> = {}) =>
  dialRelay({
    relay: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    authorize: (nonce) => `FerryNode nonce=${nonce}`,
    timeoutMs: 2_000,
    userAgent: 'ferry-node/test',
    signal: new AbortController().signal,
    ...options,
  });
const failureOf = (work: Promise<unknown>): Promise<DialError> =>
  work.then(
    () => {
      throw new Error('connected');
    },
    (error: unknown) => error as DialError,
  );

describe('dialling the relay', () => {
  it('answers the challenge and loses no message sent with the handshake', async () => {
    const socket = await dial();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const messages: string[] = [];
    socket.on('message', (data: Buffer) => messages.push(data.toString()));
    socket.resume();
    while (messages.length < 2) await once(socket, 'message');
    expect(messages).toEqual(['with the handshake', 'and behind it']);
    expect(upgradeHeaders).toMatchObject({
      authorization: 'FerryNode nonce=n1',
      'sec-websocket-protocol': 'ferry.link.v1',
    });
    for (const absent of ['origin', 'cookie', 'sec-websocket-extensions'])
      expect(upgradeHeaders).not.toHaveProperty(absent);
    socket.terminate();
  });

  it('keeps nothing of dialling for the life of the link, and survives errors of the socket', async () => {
    const abort = new AbortController();
    const socket = await dial({ signal: abort.signal });
    expect(socket.eventNames()).toEqual(['error']);
    socket.emit('error', new Error('reset'));
    abort.abort();
    expect(socket.readyState).toBe(socket.OPEN);
    socket.terminate();
  });

  it.each([
    ['no JSON', 'hello'],
    ['no nonce', '{}'],
    ['a nonce that could forge a header', JSON.stringify({ nonce: 'a\r\nX-Evil: 1' })],
  ])('stops at %s', async (_what, body) => {
    challenge = { status: 200, body };
    expect((await failureOf(dial())).message).toContain('does not answer like a Ferry relay');
  });

  it('repeats what the relay says when it refuses, of an answer without an end, too', async () => {
    const detail = 'The relay is \u001B[31mfull';
    challenge = { status: 503, body: JSON.stringify({ code: 'overloaded', detail }) };
    expect((await failureOf(dial())).message).toMatch(/refused the link \(503\): The relay is .*full$/);
    challenge = { status: 200, body: '{"nonce":"n1"}' };
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_request, socket) => {
      const body = JSON.stringify({ detail: 'This node was revoked.' });
      const head = 'HTTP/1.1 401 Unauthorized\r\nContent-Type: application/problem+json\r\n';
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
    });
    expect((await failureOf(dial())).message).toContain('refused the link (401): This node was revoked.');
    server.removeAllListeners('upgrade');
    server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 403 Forbidden\r\nContent-Length: 1000000\r\n\r\n');
      socket.write('x'.repeat(10_000));
    });
    expect((await failureOf(dial())).message).toMatch(/refused the link \(403\)$/);
  });

  it('dialling the relay does not follow a redirect, and keeps the requested wait', async () => {
    challenge = { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } };
    expect(await failureOf(dial())).toMatchObject({ status: 302 });
    challenge = { status: 503, body: '', headers: { 'retry-after': '7' } };
    expect(await failureOf(dial())).toMatchObject({ status: 503, retryAfterMs: 7_000 });
  });

  it('fails without an answer, and when it is aborted', async () => {
    expect(await failureOf(dial({ relay: new URL('http://127.0.0.1:1') }))).toMatchObject({ status: null });
    const giveUp = new AbortController();
    giveUp.abort();
    expect(await failureOf(dial({ signal: giveUp.signal }))).toMatchObject({ name: 'DialError' });
    server.removeAllListeners('upgrade');
    server.on('upgrade', () => undefined);
    expect(await failureOf(dial({ timeoutMs: 100 }))).toMatchObject({ name: 'DialError', status: null });
  });
});
