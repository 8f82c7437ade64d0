/** Completions of a command line, derived from the command tree, so that new commands are included. */
import type { Command, Option } from 'commander';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** @param words the words after `ferry` up to the cursor; the last one is incomplete and may be empty */
export function complete(program: Command, words: readonly string[]): readonly Candidate[] {
  const joined = joinAssignments(words);
  const current = joined.at(-1) ?? '';
  const { command, awaited, operands } = walk(program, joined.slice(0, -1));
  if (awaited !== undefined) return matching(choicesOf(awaited), current);
  const assigned = /^(--[^=]+)=(.*)$/.exec(current);
  if (assigned !== null) {
    const [, flag = '', value = ''] = assigned;
    const whole = words.at(-1) === current ? `${flag}=` : '';
    const option = optionsOf(command).find(({ long }) => long === flag);
    return matching(choicesOf(option), value).map((choice) => ({ ...choice, word: `${whole}${choice.word}` }));
  }
  if (current.startsWith('-')) return matching(flagsOf(command), current);
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  return matching([...(operands === 0 ? commandsOf(command) : []), ...choicesOf(argument)], current);
}

interface Position {
  readonly command: Command;
  /** The option whose value is being typed. */
  readonly awaited: Option | undefined;
  /** Number of arguments given. */
  readonly operands: number;
}

function walk(program: Command, words: readonly string[]): Position {
  let command = program;
  let awaited: Option | undefined;
  let operands = 0;
  for (const word of words) {
    if (awaited !== undefined) {
      awaited = undefined;
    } else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word);
      awaited = option?.required === true ? option : undefined;
    } else {
      const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
      if (next === undefined || operands > 0) operands += 1;
      else command = next;
    }
  }
  return { command, awaited, operands };
}

/** bash splits `--output=json` into three words. */
function joinAssignments(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    if (word === '=' && last.startsWith('--')) joined[joined.length - 1] = `${last}=`;
    else if (last.startsWith('--') && last.endsWith('=')) joined[joined.length - 1] = `${last}${word}`;
    else joined.push(word);
  }
  return joined;
}

/** The options of the command and the global ones. */
function optionsOf(command: Command): readonly Option[] {
  const inherited = command.parent === null ? [] : optionsOf(command.parent);
  return [...command.options, ...inherited].filter(({ hidden }) => !hidden);
}

const flagsOf = (command: Command): readonly Candidate[] => [
  ...optionsOf(command).map(({ long, short, description }) => ({ word: long ?? short ?? '', description })),
  { word: '--help', description: 'show help' },
];

const commandsOf = (command: Command): readonly Candidate[] =>
  command.commands.map((child) => ({ word: child.name(), description: child.description() }));

const choicesOf = (source: { readonly argChoices?: readonly string[] | undefined } | undefined): Candidate[] =>
  (source?.argChoices ?? []).map((word) => ({ word, description: '' }));

const matching = (candidates: readonly Candidate[], prefix: string): readonly Candidate[] =>
  candidates.filter(({ word }) => word.startsWith(prefix));
