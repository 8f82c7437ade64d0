import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { connectProgram, type ConnectOptions } from './connect-program.js';
import { listConnections } from './connections/list-connections.js';
import { undoConnection } from './connections/undo-connection.js';
import type { ConnectableProgram } from './program-names.js';

interface Options extends ConnectOptions {
  readonly undo?: true;
}

/** `ferry connect`: with a program, sets it up or takes that back; without one, lists what is connected. */
export async function connect(
  invocation: Invocation,
  program: ConnectableProgram | undefined,
  options: Options,
): Promise<void> {
  if (program === undefined) {
    if (Object.keys(options).length > 0) {
      throw new CliError('usage', exitCodes.usage, 'which program?', { hint: 'ferry connect codex' });
    }
    await listConnections(invocation);
    return;
  }
  if (options.undo === true) await undoConnection(invocation, program, { yes: options.yes === true });
  else await connectProgram(invocation, program, options);
}
