import { CliError } from '../../../core/errors/cli-error.js';
import { exitCodes } from '../../../core/errors/exit-codes.js';

/** A file with a syntax error: editing it could lose content. */
export function unreadableFile(file: string, format: string, cause: unknown): CliError {
  const reason = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause);
  return new CliError('file_unreadable', exitCodes.failure, `${file} is not valid ${format}: ${reason}`, {
    hint: 'mend it first, or move it away; it was left as it is',
    cause,
  });
}

export const unsupportedFile = (file: string, reason: string): CliError =>
  new CliError('file_unsupported', exitCodes.failure, `${file} was left as it is: ${reason}`, {
    hint: 'ferry connect PROGRAM --print shows what belongs there',
  });
