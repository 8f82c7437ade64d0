import pg from 'pg';
import { ServingClient, type ServingClientOptions } from './serving-client.js';

/** Why a connection was closed that nothing was wrong with as far as is known. */
export class SuspectConnectionError extends Error {
  constructor() {
    super('Connection terminated: another one to this database got no answer');
  }
}

/**
 * Connections in all while the database does not answer. A server that was frozen serves every attempt that was made meanwhile, also those
 * that were given up: a full pool of each relay, again and again, would keep it busy for seconds.
 */
const TRIED_IN_OUTAGE = 2;

/** Of `pg-pool`, which its types do not show: serves one of those who wait, if there is a place. */
interface PulsedPool {
  _pulseQueue(): void;
}

/**
 * The pool of the relay. What is in it can be used: a connection without an answer is destroyed (`ServingClient`), one that comes back with a
 * transaction is, too, and with a silent one all that are idle, because a network that lost one has lost them all.
 */
export class ServingPool extends pg.Pool {
  private readonly idle = new Set<pg.PoolClient>();

  constructor(options: pg.PoolConfig & ServingClientOptions) {
    super({ ...options, Client: ServingClient as unknown as new () => pg.ClientBase });
    const { max } = this.options;
    this.on('connect', (client) => {
      this.allow(max);
      client.once('silent', () => {
        this.options.max = Math.min(max, TRIED_IN_OUTAGE);
        this.closeIdle();
      });
    });
    this.on('acquire', (client) => this.idle.delete(client));
    this.on('remove', (client) => this.idle.delete(client));
    this.on('release', (error: unknown, client) => {
      // The pool looks at it after this event, and does not keep one that ends.
      if (client.getTransactionStatus() !== 'I') void client.end();
      else if (error === undefined) {
        this.allow(max);
        this.idle.add(client);
      }
    });
  }

  /** The database answers. Whoever waits for a connection gets one of the places that are free again. */
  private allow(max: number): void {
    const more = max - this.options.max;
    this.options.max = max;
    for (let place = 0; place < more && this.waitingCount > 0; place += 1)
      (this as unknown as PulsedPool)._pulseQueue();
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
