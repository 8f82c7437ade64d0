import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CONTENT_TYPE } from './metric.js';

const HEADERS_TIMEOUT_MS = 5_000;
const MAX_CONNECTIONS = 16;

/** `GET /metrics` on a port of its own, so that it is never public by accident. */
export class MetricsServer {
  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  /** @param render one scrape @throws the error of the system when it cannot listen */
  static async listen(render: () => Promise<string>, port: number, host: string): Promise<MetricsServer> {
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS }, (req, res) => {
      if (req.url !== '/metrics' || req.method !== 'GET') {
        res.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Only GET /metrics is here.\n');
        return;
      }
      render().then(
        (text) => res.writeHead(200, { 'content-type': CONTENT_TYPE }).end(text),
        () => res.writeHead(500).end(),
      );
    });
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, resolve);
    });
    // The process ends also while a collector keeps its connection.
    server.unref();
    return new MetricsServer(server, (server.address() as AddressInfo).port);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    this.server.closeAllConnections();
    await closed;
  }
}
