import { once } from 'node:events';
import { createServer } from 'node:net';

/** Listens for a moment, so that a taken port is reported before anything is started. @throws EADDRINUSE, EACCES, EADDRNOTAVAIL of `listen` */
export async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0) return;
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
