import type { ExitCode } from './exit-codes.js';

interface CliErrorOptions {
  /** The next step for the user: a command or a short sentence. Undefined: the help of the command is shown. */
  readonly hint: string | undefined;
  /** `x-request-id` of the relay's response, to find the request in the relay's log. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A failure with a stable `code`, a message of one line and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    readonly code: string,
    readonly exitCode: ExitCode,
    message: string,
    options: CliErrorOptions,
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.requestId = options.requestId;
  }
}
