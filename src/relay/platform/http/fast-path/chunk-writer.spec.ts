import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { createChunkWriter } from './chunk-writer.js';

// Node 24.22 keeps what a response writes within a turn, the head too, until the next one: there this failed.
it('sends the head before several events of one turn, and later events after them', async () => {
  const server = createServer((_request, response) => {
    const options = { slowClientTimeoutMs: 1_000, onConsumed: () => undefined, onClose: () => undefined };
    const writer = createChunkWriter(response, options);
    for (const event of ['data: 1\n\n', 'data: 2\n\n']) writer.write(Buffer.from(event));
    setImmediate(() => {
      writer.write(Buffer.from('data: 3\n\n'));
      writer.end();
    });
  }).listen(0);
  await once(server, 'listening');
  const asked = request({ port: (server.address() as AddressInfo).port, agent: false }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  expect(await text(response)).toBe('data: 1\n\ndata: 2\n\ndata: 3\n\n');
  server.close();
});
