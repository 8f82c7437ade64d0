import { Logger } from '@nestjs/common';
import { FerryError } from '../../../../kernel/errors/ferry-error.js';
import { isDatabaseUnavailable, isInsufficientStorage } from './database-unavailable.js';

const logger = new Logger('UnexpectedError');

/**
 * Converts anything that was thrown to a FerryError for the client. Anything else is either a bug or an unavailable database: a bug is
 * logged here, once, and its details are not sent to the client.
 */
export function toFerryError(error: unknown): FerryError {
  if (error instanceof FerryError) return error;
  // `DatabaseReadiness` has logged it: it observes all queries, also those without a client.
  if (isInsufficientStorage(error)) {
    const message =
      "The relay's database cannot write: its disk is full (insufficient_storage). Its operator must free disk space.";
    return new FerryError('overloaded', message, { cause: error });
  }
  if (isDatabaseUnavailable(error)) {
    return new FerryError('overloaded', 'The relay cannot reach its database.', { cause: error });
  }
  logger.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return new FerryError(
    'internal_error',
    'The relay encountered an internal error. Please report it with the request id.',
    {
      cause: error,
    },
  );
}
