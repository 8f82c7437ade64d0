import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

export interface LastResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Writes a complete response to a connection that Node's server does not answer, and closes it. */
export function endWithResponse(socket: Duplex, { status, headers, body }: LastResponse): void {
  const head = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`, () =>
    socket.destroy(),
  );
}
