import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';

/** The relay takes no larger request (docs/reference/public-api.md#body-size). */
const MAX_PROMPT_BYTES = 16 * 1024 * 1024;
/** Under cron or ssh stdin is open but silent; it must not block a command that already has its prompt. */
const FIRST_BYTE_WITHIN_MS = 200;

interface PromptStream extends AsyncIterable<unknown> {
  once(event: 'readable' | 'end' | 'error', listener: () => void): this;
  off(event: 'readable' | 'end' | 'error', listener: () => void): this;
  unref?(): unknown;
}

/** All of stdin, without trailing whitespace. @param optional the prompt is on the command line; stdin is only polled */
export async function readPrompt(input: PromptStream, optional: boolean): Promise<string> {
  if (optional && !(await beginsSoon(input))) {
    input.unref?.();
    return '';
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    const part = Buffer.from(chunk as Buffer | string);
    bytes += part.byteLength;
    if (bytes > MAX_PROMPT_BYTES)
      throw new CliError('usage', exitCodes.usage, 'more than 16 MiB on stdin', {
        hint: 'ask about a part of it',
      });
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString('utf8').trimEnd();
}

function beginsSoon(input: PromptStream): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (begins: boolean): void => {
      clearTimeout(timer);
      input.off('readable', begin).off('end', end).off('error', end);
      resolve(begins);
    };
    const begin = (): void => {
      finish(true);
    };
    const end = (): void => {
      finish(false);
    };
    const timer = setTimeout(end, FIRST_BYTE_WITHIN_MS);
    input.once('readable', begin).once('end', end).once('error', end);
  });
}
