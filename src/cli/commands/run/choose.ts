import { CliError } from '../../core/errors/cli-error.js';
import { CommandEnded } from '../../core/errors/command-ended.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { printable } from '../../../kernel/printable.js';
import type { Terminal } from '../../core/output/terminal.js';

interface Choice<Item> {
  readonly question: string;
  readonly label: (item: Item) => string;
  readonly hint: (item: Item) => string;
}

/** The only choice, or the one that the user picks. @throws CliError (usage) when there are several and no terminal */
export async function choose<Item>(
  terminal: Terminal,
  items: readonly Item[],
  { question, label, hint }: Choice<Item>,
): Promise<Item> {
  const [first, ...others] = items;
  if (first !== undefined && others.length === 0) return first;
  if (!terminal.interactive || !process.stdin.isTTY) {
    const names = items.map((item) => printable(label(item))).join(', ');
    throw new CliError('usage', exitCodes.usage, `${question}: ${names}`, { hint: 'give the whole name of one' });
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
