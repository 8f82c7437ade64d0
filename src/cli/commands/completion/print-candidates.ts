import type { Command } from 'commander';
import type { Cli } from '../../invocation.js';
import { accountNames } from './account-names.js';
import { complete } from './complete.js';

/**
 * A line for each candidate: the word, a tab, its description.
 * @param argv `[--current=WORD] -- WORD…`: PowerShell cannot pass an empty word at the end, so it gives the current one apart
 */
export async function printCandidates(
  program: Command,
  argv: readonly string[],
  { terminal, env }: Cli,
): Promise<void> {
  const start = argv.indexOf('--') + 1;
  const apart = argv.slice(0, start).find((word) => word.startsWith('--current='));
  const words = [...argv.slice(start), ...(apart === undefined ? [] : [apart.slice('--current='.length)])];
  const place = complete(program, words);
  for (const { word, description } of [...place.candidates, ...(await accountNames(env, place))]) {
    terminal.print(`${word}\t${description}`);
  }
}
