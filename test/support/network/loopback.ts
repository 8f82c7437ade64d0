/** Servers and clients on real loopback sockets. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { eventually } from '../clock/eventually.js';

export class Loopback {
  private constructor(
    readonly server: Server,
    readonly port: number,
  ) {}

  static async start(serverOrListener: Server | RequestListener): Promise<Loopback> {
    const server = typeof serverOrListener === 'function' ? createServer(serverOrListener) : serverOrListener;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Loopback(server, (server.address() as AddressInfo).port);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}

/** A client with full control over the bytes that it sends and the time at which it reads. */
export class RawClient {
  /** Everything received so far, as latin1. */
  received = '';
  ended = false;
  readonly closed: Promise<unknown>;

  private constructor(readonly socket: Socket) {
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => (this.received += text));
    socket.on('end', () => (this.ended = true));
    socket.on('error', () => undefined);
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = net.connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Head and, if given, the start of the body. */
  static async request(port: number, lines: readonly string[], body = ''): Promise<RawClient> {
    const client = await RawClient.connect(port);
    client.send(`${lines.join('\r\n')}\r\n\r\n${body}`);
    return client;
  }

  send(bytes: string | Buffer): void {
    this.socket.write(bytes);
  }

  /** Resolves when everything sent so far has reached the operating system. */
  async flush(bytes: string | Buffer): Promise<void> {
    if (this.socket.write(bytes)) return;
    await Promise.race([new Promise((resolve) => this.socket.once('drain', resolve)), this.closed]);
  }

  async until(pattern: RegExp | string): Promise<string> {
    await eventually(`${String(pattern)} in what the server sent (${this.received.slice(0, 500)})`, () =>
      typeof pattern === 'string' ? this.received.includes(pattern) : pattern.test(this.received),
    );
    return this.received;
  }

  get status(): number {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.received)?.[1]);
  }

  /** Everything after the head. */
  get body(): string {
    return this.received.slice(this.received.indexOf('\r\n\r\n') + 4);
  }

  /** The payload of a chunked body, as far as it is complete. */
  get chunks(): string[] {
    const found: string[] = [];
    let rest = this.body;
    for (;;) {
      const size = /^([0-9a-f]+)\r\n/.exec(rest);
      if (size?.[1] === undefined) return found;
      const start = size[0].length;
      const length = parseInt(size[1], 16);
      if (length === 0 || rest.length < start + length + 2) return found;
      found.push(rest.slice(start, start + length));
      rest = rest.slice(start + length + 2);
    }
  }

  destroy(): void {
    this.socket.destroy();
  }
}
