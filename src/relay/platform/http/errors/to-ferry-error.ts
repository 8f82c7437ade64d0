import { Logger } from '@nestjs/common';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { isDatabaseUnavailable } from './database-unavailable.js';

const logger = new Logger('UnexpectedError');

/**
 * Everything that is thrown becomes a FerryError before a client hears of it. What is not one is a bug, or a database that
 * is away: a bug is logged here, once, and tells the client nothing.
 */
export function toFerryError(error: unknown): FerryError {
  if (error instanceof FerryError) return error;
  if (isDatabaseUnavailable(error)) {
    return new FerryError('overloaded', 'The relay cannot reach its database.', { cause: error });
  }
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new FerryError('internal_error', 'The relay made a mistake. Please report it with the request id.', {
    cause: error,
  });
}
