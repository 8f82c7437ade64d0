import type { ExitCode } from './exit-codes.js';

/** Ends a command with an exit code after it has printed its own message. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded';

  constructor(readonly exitCode: ExitCode) {
    super('the command has ended');
  }
}
