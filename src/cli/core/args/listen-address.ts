import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ListenFlags {
  readonly host?: string;
  readonly port?: string;
}

export const listensEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/**
 * Listens briefly, so that a port in use is reported before anything is started. Port 0 checks the host.
 * @throws EADDRINUSE, EACCES, EADDRNOTAVAIL of `listen`, ENOTFOUND
 */
export async function checkPort(host: string, port: number): Promise<void> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
