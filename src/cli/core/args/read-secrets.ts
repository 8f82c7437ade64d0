import type { Terminal } from '../output/terminal.js';
import { CliError } from '../errors/cli-error.js';
import { exitCodes } from '../errors/exit-codes.js';

/** Limit of a secret; longer than any token or password. */
const MAX_CHARACTERS = 4_096;

/**
 * Reads secrets from stdin, one per line, because other processes can read command-line arguments.
 * @param hint for the error when a line is missing
 */
export async function readSecrets(
  input: AsyncIterable<unknown>,
  names: readonly string[],
  hint: string,
): Promise<readonly string[]> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.split('\n').length > names.length || text.length > MAX_CHARACTERS * names.length) break;
  }
  const lines = text.split('\n').map((line) => line.trim());
  return names.map((name, index) => {
    const line = lines[index] ?? '';
    if (line !== '' && line.length <= MAX_CHARACTERS) return line;
    throw new CliError('usage', exitCodes.usage, `there is no ${name} on stdin`, { hint });
  });
}

/** Prompts for secrets on the terminal without echo. @throws CliError (usage) without a terminal, (interrupted) after Ctrl-C */
export async function promptForSecrets(
  terminal: Terminal,
  names: readonly string[],
  hint: string,
): Promise<readonly string[]> {
  if (!terminal.interactive || !process.stdin.isTTY) {
    throw new CliError('usage', exitCodes.usage, `the ${names.join(' and the ')} must come from a terminal`, { hint });
  }
  const prompts = await import('@clack/prompts');
  const responses: string[] = [];
  for (const name of names) {
    const response = await prompts.password({
      message: `${name[0]?.toUpperCase() ?? ''}${name.slice(1)}`,
      output: process.stderr,
    });
    if (typeof response !== 'string')
      throw new CliError('interrupted', exitCodes.interrupted, 'interrupted: nothing was changed', { hint });
    responses.push(response);
  }
  return responses;
}
