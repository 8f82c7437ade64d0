import { CliError } from '../errors/cli-error.js';
import { CommandEnded } from '../errors/command-ended.js';
import { exitCodes } from '../errors/exit-codes.js';
import { printable } from '../../../kernel/printable.js';
import type { Terminal } from './terminal.js';

interface Choice<Item> {
  readonly question: string;
  readonly label: (item: Item) => string;
  readonly hint: (item: Item) => string;
  /** Hint for the error when there is no terminal. */
  readonly advice?: string;
}

/** Returns the only item, or lets the user pick one. @throws CliError (usage) when there are several and no terminal */
export async function choose<Item>(
  terminal: Terminal,
  items: readonly Item[],
  { question, label, hint, advice = 'give the whole name of one' }: Choice<Item>,
): Promise<Item> {
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first;
  if (!terminal.interactive || !process.stdin.isTTY) {
    const names = items.map((item) => printable(label(item))).join(', ');
    throw new CliError('usage', exitCodes.usage, `${question}: ${names}`, { hint: advice });
  }
  const prompts = await import('@clack/prompts');
  const picked = await prompts.select({
    message: printable(question),
    options: items.map((item, value) => ({ value, label: printable(label(item)), hint: printable(hint(item)) })),
    maxItems: 12,
    output: process.stderr,
  });
  const item = typeof picked === 'number' ? items[picked] : undefined;
  if (item === undefined) throw new CommandEnded(exitCodes.interrupted);
  return item;
}
