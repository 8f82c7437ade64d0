import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Terminal } from './terminal.js';

/**
 * Asks before something is changed; the default is no, unless it can be undone. Resolves to false for a no, and for Ctrl-C.
 * @throws CliError (usage) where nobody is there to answer
 */
export async function confirm(
  terminal: Terminal,
  question: string,
  { initialValue = false }: { readonly initialValue?: boolean } = {},
): Promise<boolean> {
  if (!terminal.interactive || !process.stdin.isTTY) {
    throw new CliError('confirmation_needed', exitCodes.usage, question, { hint: 'pass --yes to mean it' });
  }
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue, output: process.stderr });
  return answer === true;
}
