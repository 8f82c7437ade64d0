import type { Command } from 'commander';
import { distance } from 'fastest-levenshtein';

/** The deepest command that the words of a command line name, and the first word after it. */
export function findCommand(
  program: Command,
  argv: readonly string[],
): { readonly command: Command; readonly next: string | undefined } {
  let command = program;
  let index = 0;
  for (; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') break;
    if (word.startsWith('-')) {
      // The word after an option may be its value.
      if (!word.includes('=') && takesValue(command, word)) index += 1;
      continue;
    }
    const child = command.commands.find((candidate) => [candidate.name(), ...candidate.aliases()].includes(word));
    if (child === undefined) return { command, next: word };
    command = child;
  }
  return { command, next: undefined };
}

const takesValue = (command: Command | null, word: string): boolean =>
  command !== null &&
  (command.options.some((option) => [option.short, option.long].includes(word) && option.required) ||
    takesValue(command.parent, word));

/** The name with the smallest edit distance to the word; undefined when none is close. */
export function similarName(word: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 2));
  const [best] = names
    .map((name) => ({ name, changes: distance(word, name) }))
    .filter(({ changes, name }) => changes <= limit || (word.length > 1 && name.startsWith(word)))
    .sort((a, b) => a.changes - b.changes);
  return best?.name;
}
