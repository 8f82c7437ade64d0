/** Node's codes for a failed or lost connection. */
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ECONNABORTED',
  'EADDRNOTAVAIL',
]);

/** Errors of `pg` without a code: pool wait, attempt to connect, query timeout, a connection that ended during a query. */
const DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Driver not Connected|Cannot use a pool after calling end)/i;

/** TypeORM takes the connection from a transaction when that ends between two queries, and throws these. */
const LOST_CONNECTION_NAMES = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

/** The server ended a transaction whose relay was silent for too long: 25P03 between two statements, 25P04 as a whole. */
const ENDED_TRANSACTION = /^25P0[34]$/;

/** 08: connection, 53: out of resources, 57: cancelled or shutting down (statement_timeout is 57014), 58: system error. */
const UNAVAILABLE_CLASSES = /^(08|53|57|58)[0-9A-Z]{3}$/;

/** 53: out of resources, nearly always the disk. 53300 means too many connections and is excluded. */
const STORAGE_CLASS = /^53(?!300)[0-9A-Z]{3}$/;

interface ErrorLike {
  readonly code?: unknown;
  readonly name?: unknown;
  readonly message?: unknown;
  readonly driverError?: unknown;
}

/** True when a query failed because the database is not available, not because the query is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, name, message, driverError } = error as ErrorLike;
  if (typeof code === 'string' && isUnavailableCode(code)) return true;
  if (typeof name === 'string' && LOST_CONNECTION_NAMES.has(name)) return true;
  if (typeof message === 'string' && DRIVER_MESSAGES.test(message)) return true;
  return driverError !== undefined && driverError !== error && isDatabaseUnavailable(driverError);
}

const isUnavailableCode = (code: string): boolean =>
  CONNECTION_CODES.has(code) || UNAVAILABLE_CLASSES.test(code) || ENDED_TRANSACTION.test(code);

/** True when the database answers but cannot write because its disk (or memory) is full. */
export function isInsufficientStorage(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, driverError } = error as ErrorLike;
  if (typeof code === 'string' && STORAGE_CLASS.test(code)) return true;
  return driverError !== undefined && driverError !== error && isInsufficientStorage(driverError);
}
