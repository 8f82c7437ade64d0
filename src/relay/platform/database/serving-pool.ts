import pg from 'pg';
import { ATTEMPT_SHARE, ServingClient, type ServingClientOptions } from './serving-client.js';

/** Why a connection was closed that nothing was wrong with as far as is known. */
export class SuspectConnectionError extends Error {
  constructor() {
    super('Connection terminated: another one to this database got no answer');
  }
}

/**
 * Attempts to connect at a time while the database does not answer. A server that was frozen serves every attempt that was made meanwhile,
 * also those that were given up: a full pool of each relay, again and again, would keep it busy for seconds. They begin in even intervals: one
 * that a network swallowed just before its return takes its whole time, and the next one finds the way.
 */
const ATTEMPTS_AT_ONCE = 3;

/** A method of `pg-pool` that its types do not show: it serves one waiting caller, if a connection is free. */
interface PulsedPool {
  _pulseQueue(): void;
}

type Connect = (taken?: (...outcome: readonly unknown[]) => void) => Promise<pg.PoolClient>;

/**
 * The pool of the relay. What is in it can be used: a connection without a response is destroyed (`ServingClient`), one that comes back with a
 * transaction is, too, and with a silent one all that have been idle for as long, because a network that lost one has lost them all.
 */
export class ServingPool extends pg.Pool {
  /** Maps each idle client to the time since when it is idle. */
  private readonly idle = new Map<pg.PoolClient, number>();
  private readonly places: number;
  private readonly attemptEveryMs: number;
  /** Set while the database does not answer. */
  private outage: NodeJS.Timeout | undefined;
  private attemptDue = false;
  private respondedAtMs = -Infinity;

  constructor(options: pg.PoolConfig & Omit<ServingClientOptions, 'onSilence'>) {
    super({ ...options, Client: ServingClient as unknown as new () => pg.ClientBase });
    this.places = this.options.max;
    this.attemptEveryMs = ((options.connectionTimeoutMillis ?? 0) * ATTEMPT_SHARE) / ATTEMPTS_AT_ONCE;
    const onSilence: ServingClientOptions['onSilence'] = (sentAtMs) => {
      this.onSilence(sentAtMs);
    };
    Object.assign(this.options, { onSilence });
    const connect = this.connect.bind(this) as Connect;
    const attempting: Connect = (taken) => {
      const client = connect(taken);
      this.attempt();
      return client;
    };
    this.connect = attempting as pg.Pool['connect'];
    this.on('connect', () => {
      this.onResponse();
    });
    this.on('acquire', (client) => this.idle.delete(client));
    this.on('remove', (client) => {
      this.idle.delete(client);
      this.attempt();
    });
    this.on('release', (error: unknown, client) => {
      // The pool looks at it after this event, and does not keep one that ends.
      if (client.getTransactionStatus() !== 'I') void client.end();
      else if (error === undefined) {
        this.onResponse();
        this.idle.set(client, this.respondedAtMs);
      }
    });
  }

  private onSilence(sentAtMs: number): void {
    this.closeIdle(sentAtMs);
    // Where others are answered, this one waited for a lock.
    if (this.outage !== undefined || this.respondedAtMs > sentAtMs) return;
    // A connection is only made by an attempt of this pool.
    this.options.max = 0;
    this.attemptDue = true;
    this.outage = setInterval(() => {
      this.attemptDue = true;
      this.attempt();
    }, this.attemptEveryMs).unref();
    this.attempt();
  }

  private attempt(): void {
    if (this.outage === undefined || !this.attemptDue) return;
    if (this.waitingCount === 0 || this.totalCount >= this.places) return;
    this.attemptDue = false;
    this.options.max = this.totalCount + 1;
    this.pulse();
    this.options.max = 0;
  }

  /**
   * The database answers. After an outage each response adds a place until all are there: connections that begin all at once, at each relay,
   * would delay the first answers.
   */
  private onResponse(): void {
    this.respondedAtMs = performance.now();
    if (this.options.max === this.places) return;
    clearInterval(this.outage);
    this.outage = undefined;
    this.options.max = Math.min(this.places, Math.max(this.options.max, this.totalCount) + 1);
    this.pulse();
  }

  private pulse(): void {
    (this as unknown as PulsedPool)._pulseQueue();
  }

  private closeIdle(sinceMs: number): void {
    for (const [client, idleSinceMs] of this.idle) {
      if (idleSinceMs > sinceMs) continue;
      this.idle.delete(client);
      // At once: after `destroy` alone, the pool would hand it out until the next turn of the event loop.
      client.emit('error', new SuspectConnectionError());
      client.connection.stream.destroy();
    }
  }
}
