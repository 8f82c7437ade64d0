/** Simulates a router with NAT between a node and its relay that loses connections, as when a computer sleeps for long. */
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import { joinSockets } from './join-sockets.js';

export class ForgetfulProxy {
  private readonly sockets = new Set<Socket>();
  private readonly forgotten = new WeakSet<Socket>();

  private constructor(
    private readonly server: Server,
    targetPort: number,
  ) {
    server.on('connection', (client) => {
      const upstream = net.connect(targetPort, '127.0.0.1');
      upstream.pipe(client).pipe(upstream);
      joinSockets(client, upstream, this.sockets, (closed) => this.forgotten.has(closed));
    });
  }

  static async start(targetUrl: string): Promise<ForgetfulProxy> {
    const server = net.createServer();
    const proxy = new ForgetfulProxy(server, Number(new URL(targetUrl).port));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** From now on, drops everything that either end sends on the current connections, including closes. */
  forget(): void {
    for (const socket of this.sockets) {
      this.forgotten.add(socket);
      socket.unpipe();
      socket.on('data', () => undefined);
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
