import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { Loopback, RawClient } from '../../../../test/support/network/loopback.js';
import { createWriter } from '../../../../test/support/relay/http-server-options.js';
import type { ClientWriter } from './client-writer.js';

let loopback: Loopback | undefined;

afterEach(async () => {
  await loopback?.close();
  loopback = undefined;
});

/** Answers every request with what `play` writes. */
async function serve(play: (writer: ClientWriter) => void | Promise<void>): Promise<Loopback> {
  const started = await Loopback.start((req, res) => {
    req.resume();
    const ignore = (): void => undefined;
    void play(createWriter(res, { slowClientTimeoutMs: 60_000, onConsumed: ignore, onClose: ignore }));
  });
  loopback = started;
  return started;
}

test('pieces of every size arrive as they were written, answer after answer on one connection', async () => {
  const chunks = [1, 15, 16, 17, 255, 256, 4_096, 8_191, 8_192, 8_193, 65_536, 200_000].map((length) =>
    // Every byte there is, so that a text that is no bytes would show.
    Buffer.from(Array.from({ length }, (_, at) => (at * 7 + length) & 0xff)),
  );
  const { port, server } = await serve(async (writer) => {
    for (const [index, chunk] of chunks.entries()) {
      writer.write(chunk);
      if (index % 3 === 0) await new Promise(setImmediate);
    }
    writer.end();
  });
  let sockets = 0;
  server.on('connection', () => (sockets += 1));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; turn < 3; turn += 1) {
    const asked = request({ port, agent, host: '127.0.0.1' }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const received: Buffer[] = [];
    for await (const part of response) received.push(part as Buffer);
    expect(Buffer.concat(received).equals(Buffer.concat(chunks))).toBe(true);
  }
  agent.destroy();
  expect(sockets).toBe(1);
});

test('an HTTP/1.0 client gets the bytes without any framing', async () => {
  const { port } = await serve((writer) => {
    for (const chunk of ['one ', 'two ', 'three']) writer.write(Buffer.from(chunk));
    writer.end();
  });
  const client = await RawClient.connect(port);
  client.send('GET / HTTP/1.0\r\n\r\n');
  await client.closed;
  expect(client.received.split('\r\n\r\n')[1]).toBe('one two three');
});

test('a truncated answer has no terminating chunk', async () => {
  const { port } = await serve(async (writer) => {
    writer.write(Buffer.from('first'));
    writer.write(Buffer.from('second'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    writer.destroy();
  });
  const client = await RawClient.connect(port);
  client.send('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await client.closed;
  expect(client.received.endsWith('5\r\nfirst\r\n6\r\nsecond\r\n')).toBe(true);
});
