/** A client that reads the head of its response and nothing more, on a connection that stays open (F5). */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { TestRelay } from '../../support/process/test-relay.js';

export interface UnreadClient {
  readonly requestId: string;
  /** Local port of its connection. */
  readonly port: number;
  readonly socket: Socket;
}

const REQUEST_ID = /^x-request-id: (\S+)\r$/im;

export async function unreadClient(relay: TestRelay, model: string, marker: string): Promise<UnreadClient> {
  const { hostname, port } = new URL(relay.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const { localPort = 0 } = socket;
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: marker }] });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${relay.apiKey}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  const [head] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  const requestId = REQUEST_ID.exec(head.toString('latin1'))?.[1];
  if (requestId === undefined) throw new Error(`no answer for a client: ${head.toString('latin1', 0, 200)}`);
  return { requestId, port: localPort, socket };
}
