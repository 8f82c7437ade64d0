import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Environment } from '../../invocation.js';

/** Same as the defaults of the relay's settings, which the command line does not load here. */
export const DEFAULT_HOST = '127.0.0.1';
const DEFAULT_PORT = '8787';

export interface ListenFlags {
  readonly host?: string;
  readonly port?: string;
}

/** Shells and compose files use an empty variable for "not set". */
export const listenAddress = (env: Environment, flags: ListenFlags): { host: string; port: string } => ({
  host: flags.host ?? (env['FERRY_HOST'] || DEFAULT_HOST),
  port: flags.port ?? (env['FERRY_PORT'] || DEFAULT_PORT),
});

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
