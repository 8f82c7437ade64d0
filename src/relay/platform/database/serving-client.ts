import pg from 'pg';

/** As `pg` words its own timeouts. */
const NO_RESPONSE = 'Query read timeout';
const NO_CONNECTION = 'timeout expired';

export interface ServingClientOptions extends pg.ClientConfig {
  /** A connection without a response for so long is given up. */
  readonly responseTimeoutMs: number;
  /** A query, or an attempt to connect, that began at `sentAtMs` (`performance.now`) got no response in time. */
  readonly onSilence: (sentAtMs: number) => void;
}

/**
 * Share of the wait for a connection. An attempt that a network has swallowed keeps its place in the pool; so that all places are free again
 * within 2 s of its return, it ends sooner than the wait of 2 s.
 */
export const ATTEMPT_SHARE = 3 / 4;

/** An attempt to connect got no response in time. */
export const isConnectTimeout = (error: unknown): boolean => error instanceof Error && error.message === NO_CONNECTION;

/** As the pool calls it. */
type AnyConnect = (connected: (error: Error | null | undefined, client?: unknown) => void) => void;
/** Any of the overloads of `query`: all that is needed here is when its outcome is known. */
type AnyQuery = (...parameters: readonly unknown[]) => unknown;

/**
 * A connection that ends with the first query that gets no response in time. The timeout of `pg` keeps it: the next query, such as the ROLLBACK,
 * waits behind the one without a response, and a connection with an open transaction and its locks would return to the pool.
 */
export class ServingClient extends pg.Client {
  private readonly responseTimeoutMs: number;
  private readonly onSilence: (sentAtMs: number) => void;

  constructor(options: ServingClientOptions) {
    super({ ...options, connectionTimeoutMillis: (options.connectionTimeoutMillis ?? 0) * ATTEMPT_SHARE });
    this.responseTimeoutMs = options.responseTimeoutMs;
    this.onSilence = options.onSilence;
    const connect = this.connect.bind(this) as AnyConnect;
    const noticed: AnyConnect = (connected) => {
      const sentAtMs = performance.now();
      connect((error, client) => {
        connected(error, client);
        if (isConnectTimeout(error)) this.onSilence(sentAtMs);
      });
    };
    this.connect = noticed as pg.Client['connect'];
    const query = this.query.bind(this) as AnyQuery;
    const timed: AnyQuery = (...parameters) => this.timed(query, parameters);
    this.query = timed as pg.Client['query'];
  }

  private timed(query: AnyQuery, parameters: readonly unknown[]): unknown {
    const sentAtMs = performance.now();
    const timer = setTimeout(() => {
      this.giveUp(sentAtMs);
    }, this.responseTimeoutMs);
    const callback = parameters.at(-1);
    if (typeof callback === 'function') {
      return query(...parameters.slice(0, -1), (...outcome: readonly unknown[]) => {
        clearTimeout(timer);
        (callback as AnyQuery)(...outcome);
      });
    }
    const result = query(...parameters) as Promise<unknown>;
    const responded = (): void => {
      clearTimeout(timer);
    };
    result.then(responded, responded);
    return result;
  }

  /** All its queries fail, and the server rolls back when it sees the end of the connection. */
  private giveUp(sentAtMs: number): void {
    this.connection.stream.destroy(new Error(NO_RESPONSE));
    this.onSilence(sentAtMs);
  }
}
