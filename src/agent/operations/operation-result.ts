import type { ResultMessage } from '../../link/messages.js';
import { OperationFailure } from '../engines/engine-management.js';
import { EngineFailure } from '../engines/engine.js';
import type { OperationCommand } from './operation-command.js';

/** Limits of the RESULT message. */
const MAX_MESSAGE_CHARACTERS = 4_000;
const MAX_MODEL_KEY_CHARACTERS = 600;

/** How an operation has ended. */
export type OperationOutcome =
  | { readonly outcome: 'succeeded'; readonly modelKey: string }
  | { readonly outcome: 'failed'; readonly error: unknown }
  | { readonly outcome: 'cancelled' };

export function resultOf(
  command: OperationCommand,
  conclusion: OperationOutcome,
  onUnexpected: (error: unknown) => void,
): ResultMessage {
  const known = command.verb === 'install' ? null : command.model_key;
  return {
    operation_id: command.operation_id,
    outcome: conclusion.outcome,
    failure: conclusion.outcome === 'failed' ? failureOf(conclusion.error, onUnexpected) : null,
    model_key: conclusion.outcome === 'succeeded' ? reportable(conclusion.modelKey) : known,
  };
}

/** For the node's log only: the cause may hold details for the owner of the computer. */
export const causeOf = (conclusion: OperationOutcome): string | undefined =>
  conclusion.outcome === 'failed' && conclusion.error instanceof Error && conclusion.error.cause instanceof Error
    ? conclusion.error.cause.message.slice(0, MAX_MESSAGE_CHARACTERS)
    : undefined;

type Failure = NonNullable<ResultMessage['failure']>;

/** The failure as reported. Unexpected errors go to the node's log only, because their text may contain anything. */
function failureOf(error: unknown, onUnexpected: (error: unknown) => void): Failure {
  if (error instanceof OperationFailure) return bounded(error.code, error.message);
  if (error instanceof EngineFailure) return bounded('engine_error', error.failure.message);
  onUnexpected(error);
  return bounded('internal', 'The operation failed on the node; the log of the node has the reason.');
}

const bounded = (code: Failure['code'], message: string): Failure => ({
  code,
  message: message.slice(0, MAX_MESSAGE_CHARACTERS),
});

/** The inventory omits longer keys, too. */
const reportable = (key: string): string | null => (key.length <= MAX_MODEL_KEY_CHARACTERS ? key : null);
