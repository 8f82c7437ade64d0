import type { ExitCode } from './exit-codes.js';

interface CliErrorOptions {
  /** What to do next, as a command or a short sentence. */
  readonly hint?: string | undefined;
  /** Of the relay's answer; names the request in its log. */
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** A failure that a person or a script can act on. The message fits on one line; `code` is stable. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string | undefined;
  readonly requestId: string | undefined;

  constructor(
    readonly code: string,
    readonly exitCode: ExitCode,
    message: string,
    options: CliErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.hint = options.hint;
    this.requestId = options.requestId;
  }
}
