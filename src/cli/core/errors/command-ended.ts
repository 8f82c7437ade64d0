import type { ExitCode } from './exit-codes.js';

/** A command that ends early without a failure, and has said so itself: only its exit code is left. */
export class CommandEnded extends Error {
  override readonly name = 'CommandEnded';

  constructor(readonly exitCode: ExitCode) {
    super('the command has ended');
  }
}
