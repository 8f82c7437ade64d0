import type { CommandMessage } from '../../link/messages.js';

/** A COMMAND that starts an operation. */
export type OperationCommand = Exclude<CommandMessage, { readonly verb: 'cancel' }>;

/** Two operations never run on the same subject: a model, or the source of an install. */
export const subjectOf = (command: OperationCommand): string =>
  command.verb === 'install' ? `install ${command.source}` : `model ${command.model_key}`;

/** For the node's own log: a source is left out, because an address may carry a token. */
export const describeCommand = (command: OperationCommand): object => ({
  operation: command.operation_id,
  verb: command.verb,
  ...(command.verb === 'install' ? { engine: command.engine } : { model: command.model_key }),
});
