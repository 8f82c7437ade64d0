import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

/** Longer than any token. */
const MAX_CHARACTERS = 4_096;

/** The first line of stdin, such as a token, which must not be on the command line where other processes can read it. */
export async function readLine(input: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break;
  }
  const line = (text.split('\n')[0] ?? '').trim();
  if (line !== '' && line.length <= MAX_CHARACTERS) return line;
  throw new CliError('usage', exitCodes.usage, 'there is no token on stdin', {
    hint: 'ferry login --with-token < token.txt',
  });
}
