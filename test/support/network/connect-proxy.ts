/** An HTTP proxy for tunnels (CONNECT), and the only one that can resolve the host names. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.js';

export class ConnectProxy {
  /** `host:port` of every requested tunnel. */
  readonly tunnels: string[] = [];
  /** All received `Proxy-Authorization` headers. */
  readonly credentials: (string | undefined)[] = [];
  /** Refuses every tunnel with this status. */
  refuseWith: number | undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly ports: Readonly<Record<string, number>>,
  ) {
    server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
      this.connect(request, client, head);
    });
  }

  /** @param ports loopback port of each host name */
  static async start(ports: Readonly<Record<string, number>>): Promise<ConnectProxy> {
    const server = createServer((_request, response) => response.writeHead(405).end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ConnectProxy(server, ports);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private connect(request: IncomingMessage, client: Socket, head: Buffer): void {
    const target = request.url ?? '';
    this.tunnels.push(target);
    this.credentials.push(request.headers['proxy-authorization']);
    const port = this.ports[target.replace(/:\d+$/, '')];
    if (this.refuseWith !== undefined || port === undefined) {
      client.end(`HTTP/1.1 ${this.refuseWith ?? 502} Refused\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = net.connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    joinSockets(client, upstream, this.sockets);
  }
}
