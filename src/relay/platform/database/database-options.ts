import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations/index.js';
import { ServingPool, SuspectConnectionError } from './serving-pool.js';
import { DatabaseLogger } from './typeorm-logger.js';

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

/** Limits of docs/reference/failures.md#database-outage: a database that hangs must lead to errors, not to requests that hang. */
export interface DatabaseLimits {
  readonly queryTimeoutMs: number;
  readonly connectTimeoutMs: number;
  readonly poolSize: number;
}

/** The server's timeout is a little later than the client's, so that the client's error is reported. */
const STATEMENT_GRACE_MS = 2_000;
/**
 * A relay that freezes inside a transaction, or that a network has cut off, must not keep its locks, for which other relays wait, or commit
 * long after it recorded a change.
 */
const IDLE_IN_TRANSACTION_MS = 5_000;
/** Applies at the start, when no request waits: a database that is still starting, too, may take longer. */
const START_CONNECT_MS = 10_000;

const logger = new DatabaseLogger();

/** Queries of the embedded database wait for its one connection: nothing can be cut off, and one of them may take long. */
const EMBEDDED_WAIT_MS = 10_000;

type Extra = Record<string, unknown>;

export interface DatabaseTarget {
  /** Absent: the embedded database, whose connection comes in `extra`. */
  readonly url: string | undefined;
  readonly extra: Extra;
  readonly poolSize: number;
}

const common = (target: DatabaseTarget, connectTimeoutMs: number) =>
  ({
    type: 'postgres',
    ...(target.url === undefined
      ? { username: 'postgres', password: 'embedded', database: 'postgres' }
      : { url: target.url }),
    applicationName: 'ferry',
    poolSize: target.poolSize,
    connectTimeoutMS: connectTimeoutMs,
    migrations,
    migrationsTableName: 'migration',
    installExtensions: false,
    logger,
    maxQueryExecutionTime: 1_000,
  }) satisfies PostgresOptions;

/** For requests: every wait has a timeout. */
export const servingOptions = (target: DatabaseTarget, limits: DatabaseLimits): PostgresOptions => ({
  ...common(
    target,
    target.url === undefined ? Math.max(limits.connectTimeoutMs, EMBEDDED_WAIT_MS) : limits.connectTimeoutMs,
  ),
  driver: { Pool: ServingPool },
  poolErrorHandler: (error: Error) => {
    if (!(error instanceof SuspectConnectionError)) logger.logLostConnection(error);
  },
  extra: {
    ...target.extra,
    responseTimeoutMs: limits.queryTimeoutMs,
    statement_timeout: limits.queryTimeoutMs + STATEMENT_GRACE_MS,
    ...(target.url !== undefined && { idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS }),
    // An idle connection that is kept for ever would not notice that the server has moved.
    idleTimeoutMillis: target.url === undefined ? 0 : 60_000,
  },
});

/** For migrations: one connection and no query timeout, since they wait for each other and may take their time. */
export const migrationOptions = (target: DatabaseTarget, limits: DatabaseLimits): PostgresOptions => ({
  ...common({ ...target, poolSize: 1 }, Math.max(limits.connectTimeoutMs, START_CONNECT_MS)),
  extra: { ...target.extra, idleTimeoutMillis: 0 },
});
