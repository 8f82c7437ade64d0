import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

export interface ListenOptions {
  readonly port: number;
  readonly host: string;
  /**
   * Several processes listen on the port, and the system spreads connections over them. Where Node cannot ask for it, the primary process of the
   * workers hands connections out; one that it gave to a worker in the moment of its death is lost without a reset.
   */
  readonly reusePort?: boolean;
}

/** From Node 23.1 and 22.12 on; elsewhere than on Linux the system may give all connections to one process. */
export function canReusePort(version = process.versions.node, platform: string = process.platform): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return platform === 'linux' && (major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12));
}

/** @returns the port it got. @throws the error of the system, such as EADDRINUSE, with its `code`, `address` and `port` */
export function listen(server: Server, { port, host, reusePort = false }: ListenOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    // Older versions of Node do not know the option, and are not asked.
    server.listen({ port, host, ...(reusePort && { reusePort }) }, () => {
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

/** Under a flood of connections the accept queue is never empty. */
const BUSY_TURNS = 4_096;
/** The first turn may have polled before the count began. */
const QUIET_TURNS = 2;

/**
 * Closes the listener when all that had connected is accepted. What is left in the accept queue is reset by the system, and a proxy cannot
 * send it to another relay: it has sent the request by then. libuv accepts one connection in a turn of the event loop, so that turns without
 * one mean that the queue is empty. Only what connects between the last turn and the close is reset.
 */
export async function stopListening(server: Server): Promise<void> {
  await untilQuiet(server, ['connection', 'drop']);
  server.close();
}

/**
 * Turns of the event loop pass until none brings a request: a process that has waited for a core runs its timers before it reads what arrived
 * meanwhile. @returns whether there was one
 */
export const readArrived = (server: Server): Promise<boolean> => untilQuiet(server, ['connection', 'request']);

/** @returns whether there was any of these events */
async function untilQuiet(server: Server, events: readonly string[]): Promise<boolean> {
  let happened = 0;
  const count = (): void => {
    happened += 1;
  };
  for (const event of events) server.on(event, count);
  for (let turn = 0, quiet = 0; turn < BUSY_TURNS && quiet < QUIET_TURNS; turn += 1) {
    const before = happened;
    await setImmediate();
    quiet = happened === before ? quiet + 1 : 0;
  }
  for (const event of events) server.off(event, count);
  return happened > 0;
}
