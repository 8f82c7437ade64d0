import type { Command } from 'commander';

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
