import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Serves a model file under any name: the first part at once, the rest when the gate is open. */
export class SlowFiles {
  served = 0;
  open = 0;
  private gate: (() => void) | undefined;
  private readonly opened = new Promise<void>((resolve) => (this.gate = resolve));

  private constructor(
    private readonly server: Server,
    private readonly bytes: Buffer,
  ) {}

  static async start(bytes: Buffer): Promise<SlowFiles> {
    const server = createServer();
    const self = new SlowFiles(server, bytes);
    server.on('request', (request, response) => void self.serve(request.headers.range, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return self;
  }

  url(name: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  openGate(): void {
    this.gate?.();
  }

  async close(): Promise<void> {
    this.openGate();
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(range: string | undefined, response: ServerResponse): Promise<void> {
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    const rest = this.bytes.subarray(from);
    this.open += 1;
    response.once('close', () => (this.open -= 1));
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': rest.byteLength,
      'accept-ranges': 'bytes',
      etag: '"tiny"',
      ...(range !== undefined && {
        'content-range': `bytes ${from}-${this.bytes.byteLength - 1}/${this.bytes.byteLength}`,
      }),
    });
    const half = Math.floor(rest.byteLength / 2);
    response.write(rest.subarray(0, half));
    await this.opened;
    response.end(rest.subarray(half), () => (this.served += 1));
  }
}
