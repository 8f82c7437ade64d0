import { DatabaseInUseError } from '../../../kernel/database-in-use-error.js';
import { InstanceLockedError } from '../../../kernel/instance-lock.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

/** Rethrows with an exit code and the way out, where there is a better one than for other commands. */
export async function explainAccountFailure(failure: unknown): Promise<never> {
  const { AccountChoiceError } = await import('../../../relay/accounts/account-data/account-choice.js');
  if (failure instanceof AccountChoiceError) {
    const isUnknown = failure.matches.length === 0;
    throw new CliError(
      isUnknown ? 'not_found' : 'ambiguous',
      isUnknown ? exitCodes.notFound : exitCodes.usage,
      failure.message,
      { hint: isUnknown ? 'ferry accounts' : 'name the account by its id', cause: failure },
    );
  }
  if (failure instanceof DatabaseInUseError) {
    throw new CliError('database_in_use', exitCodes.failure, 'a relay uses the database of DATABASE_URL', {
      hint: 'stop every relay on this database, delete the account, and start them again',
      cause: failure,
    });
  }
  if (failure instanceof InstanceLockedError) {
    throw new CliError('already_running', exitCodes.failure, failure.message, {
      hint: 'stop the relay first: the embedded database belongs to one process',
      cause: failure,
    });
  }
  throw failure;
}
