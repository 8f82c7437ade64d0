import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Terminal } from './terminal.js';

/**
 * Asks for confirmation of a change. The default is no unless the change can be undone. Ctrl-C counts as no.
 * @throws CliError (usage) without a terminal
 */
export async function confirm(
  terminal: Terminal,
  question: string,
  { initialValue = false }: { readonly initialValue?: boolean } = {},
): Promise<boolean> {
  if (!terminal.interactive || !process.stdin.isTTY) {
    throw new CliError('confirmation_needed', exitCodes.usage, question, { hint: 'pass --yes to confirm' });
  }
  const prompts = await import('@clack/prompts');
  const answer = await prompts.confirm({ message: question, initialValue, output: process.stderr });
  return answer === true;
}
