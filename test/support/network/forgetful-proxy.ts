/** Stands for the router between a node and its relay: it can forget connections, as it does when their owner sleeps for long. */
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

  /** Whatever either end sends on connections of now is dropped, and neither is told, not even that the other one has closed. */
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
