import pg from 'pg';
import { ServingClient, type ServingClientOptions } from './serving-client.js';

/** Why a connection was closed that nothing was wrong with as far as is known. */
export class SuspectConnectionError extends Error {
  constructor() {
    super('Connection terminated: another one to this database got no answer');
  }
}

/**
 * The pool of the relay. What is in it can be used: a connection without an answer is destroyed (`ServingClient`), one that comes back with a
 * transaction is, too, and with a silent one all that are idle, because a network that lost one has lost them all.
 */
export class ServingPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig & ServingClientOptions) {
    super({ ...options, Client: ServingClient as unknown as new () => pg.ClientBase });
    this.on('connect', (client) => {
      client.once('silent', () => {
        this.closeIdle();
      });
    });
    this.on('acquire', (client) => this.idle.delete(client));
    this.on('remove', (client) => this.idle.delete(client));
    this.on('release', (error: unknown, client) => {
      // The pool looks at it after this event, and does not keep one that ends.
      if (client.getTransactionStatus() !== 'I') void client.end();
      else if (error === undefined) this.idle.add(client);
    });
  }

  private closeIdle(): void {
    for (const client of this.idle) {
      this.idle.delete(client);
      // At once: after `destroy` alone, the pool would hand it out until the next turn of the event loop.
      client.emit('error', new SuspectConnectionError());
      client.connection.stream.destroy();
    }
  }
}
