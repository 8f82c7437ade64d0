/** A reverse proxy before a relay, configured as badly as real ones are. */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.js';

export interface ProxyFaults {
  /** Forwards an upgrade as an ordinary request, as nginx does unless it is told otherwise. */
  readonly dropsUpgrade?: boolean;
  /** Passes a response on when it is complete. */
  readonly buffers?: boolean;
  /** Answers the path by itself, with this status. */
  readonly answers?: readonly [path: string, status: number];
}

export class FaultyProxy {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly faults: ProxyFaults,
  ) {
    server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.forward(incoming, outgoing);
    });
    if (faults.dropsUpgrade !== true) {
      server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
        this.tunnel(incoming, client, head);
      });
    }
  }

  static async start(targetUrl: string, faults: ProxyFaults): Promise<FaultyProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FaultyProxy(server, new URL(targetUrl), faults);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const [path, status] = this.faults.answers ?? [];
    if (incoming.url === path && status !== undefined) {
      outgoing.writeHead(status).end();
      return;
    }
    const headers = { ...incoming.headers };
    delete headers.connection;
    delete headers.upgrade;
    const { hostname, port } = this.target;
    const upstream = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      if (this.faults.buffers === true) collect(response, outgoing);
      else response.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  }

  private tunnel(incoming: IncomingMessage, client: Socket, head: Buffer): void {
    const [path, status] = this.faults.answers ?? [];
    if (incoming.url === path) {
      client.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = this.target;
    const upstream = net.connect(Number(port), hostname, () => {
      const lines = Array.from({ length: incoming.rawHeaders.length / 2 }, (_, index) =>
        incoming.rawHeaders.slice(2 * index, 2 * index + 2).join(': '),
      );
      upstream.write(`GET ${incoming.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    joinSockets(client, upstream, this.sockets);
  }
}

function collect(response: IncomingMessage, outgoing: ServerResponse): void {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => outgoing.end(Buffer.concat(chunks)));
}
