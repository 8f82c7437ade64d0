import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';

/** @returns the port it got. @throws the error of the system, such as EADDRINUSE, with its `code`, `address` and `port` */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A server that listens on a port has an address of this shape.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Under which address this computer reaches what listens on `host`. */
export function addressOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '';
  const name = everywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}
