import type { ExitCode } from './exit-codes.js';

/** A command that ended early and has printed its message: only the exit code remains. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded';

  constructor(readonly exitCode: ExitCode) {
    super('the command has ended');
  }
}
