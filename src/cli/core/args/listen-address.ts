import { once } from 'node:events';
import { createServer } from 'node:net';

export interface ListenFlags {
  readonly host?: string;
  readonly port?: string;
}

export const listensEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::';

/**
 * Listens briefly, so that a port in use is reported before anything is started. @throws EADDRINUSE, EACCES, EADDRNOTAVAIL of `listen`
 */
export async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
