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
  requireTerminal(terminal, question, 'pass --yes to confirm');
  const prompts = await import('@clack/prompts');
  const response = await prompts.confirm({ message: question, initialValue, output: process.stderr });
  return response === true;
}

/** Asks before something is revoked, unless `--yes` was given; says so where nothing is. @throws as {@link confirm} */
export async function confirmRevocation(terminal: Terminal, question: string, yes: true | undefined): Promise<boolean> {
  if (yes === true || (await confirm(terminal, question))) return true;
  terminal.note('Nothing was revoked.');
  return false;
}

/**
 * Asks for a word that nobody types by accident, before something that cannot be undone. Ctrl-C and any other word count as no.
 * @param command that does it without a question
 * @throws CliError (usage) without a terminal
 */
export async function confirmByTyping(
  terminal: Terminal,
  question: string,
  word: string,
  command: string,
): Promise<boolean> {
  requireTerminal(terminal, question, command);
  const prompts = await import('@clack/prompts');
  const response = await prompts.text({ message: question, output: process.stderr });
  return typeof response === 'string' && response.trim() === word.trim();
}

function requireTerminal(terminal: Terminal, question: string, hint: string): void {
  if (terminal.interactive && process.stdin.isTTY) return;
  throw new CliError('confirmation_needed', exitCodes.usage, question, { hint });
}
