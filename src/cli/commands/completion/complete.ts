/** Completions of a command line, derived from the command tree, so that new commands are included. */
import type { Argument, Command, Option } from 'commander';

export interface Candidate {
  readonly word: string;
  readonly description: string;
}

/** An account has names for these. */
export type NamedThing = 'node' | 'model' | 'key' | 'cluster';

export interface CompletionPlace {
  /** Candidates of the command tree. */
  readonly candidates: readonly Candidate[];
  /** The account's names of these are candidates, too: those that begin with `typed`, printed without `ahead`. */
  readonly names: NamedThing | undefined;
  readonly typed: string;
  readonly ahead: string;
  /** Printed in front of a name: `--node=`, where the shell replaces the whole word. */
  readonly prefix: string;
  /** Values of the options so far, by long flag. */
  readonly options: ReadonlyMap<string, string>;
}

/** @param words the words after `ferry` up to the cursor; the last one is incomplete and may be empty */
export function complete(program: Command, words: readonly string[]): CompletionPlace {
  const joined = joinSplit(words);
  const current = joined.at(-1) ?? '';
  const { command, awaited, operands, options } = walk(program, joined.slice(0, -1));
  const isWhole = words.at(-1) === current;
  const at = (
    typed: string,
    candidates: readonly Candidate[],
    names?: NamedThing,
    ahead = isWhole ? '' : splitOff(typed),
  ): CompletionPlace => ({ candidates: matching(candidates, typed), names, typed, ahead, prefix: '', options });

  if (awaited !== undefined) return at(current, choicesOf(awaited), namedBy(awaited));
  const assigned = /^(--[^=]+)=(.*)$/s.exec(current);
  if (assigned !== null) {
    const [, flag = '', value = ''] = assigned;
    const option = optionsOf(command).find(({ long }) => long === flag);
    const whole = isWhole ? `${flag}=` : '';
    const found = at(value, choicesOf(option), namedBy(option));
    const candidates = found.candidates.map((choice) => ({ ...choice, word: `${whole}${choice.word}` }));
    return { ...found, candidates, prefix: whole };
  }
  if (current.startsWith('-')) return at(current, flagsOf(command));
  const last = command.registeredArguments.at(-1);
  const argument = command.registeredArguments[operands] ?? (last?.variadic === true ? last : undefined);
  const subcommands = operands === 0 ? commandsOf(command) : [];
  return at(current, [...subcommands, ...choicesOf(argument)], namedArgument(argument));
}

interface Position {
  readonly command: Command;
  /** The option whose value is being typed. */
  readonly awaited: Option | undefined;
  /** Number of arguments given. */
  readonly operands: number;
  readonly options: ReadonlyMap<string, string>;
}

function walk(program: Command, words: readonly string[]): Position {
  let command = program;
  let awaited: Option | undefined;
  let operands = 0;
  const options = new Map<string, string>();
  for (const word of words) {
    if (awaited !== undefined) {
      options.set(awaited.long ?? '', word);
      awaited = undefined;
    } else if (word.startsWith('-')) {
      const [flag = '', ...value] = word.split('=');
      const option = optionsOf(command).find(({ long, short }) => long === flag || short === flag);
      if (value.length > 0) options.set(flag, value.join('='));
      else awaited = option?.required === true ? option : undefined;
    } else {
      const next = command.commands.find((child) => child.name() === word || child.aliases().includes(word));
      if (next === undefined || operands > 0) operands += 1;
      else command = next;
    }
  }
  return { command, awaited, operands, options };
}

/** bash splits `--output=json` and `qwen3:8b` into three words each. */
function joinSplit(words: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const last = joined.at(-1) ?? '';
    const isSeparator = (word === '=' && last.startsWith('--')) || (word === ':' && last !== '');
    if (isSeparator || isOpen) joined[joined.length - 1] = `${last}${word}`;
    else joined.push(word);
    isOpen = isSeparator || (last.startsWith('--') && last.endsWith('=') && !isOpen);
  }
  return joined;
}

/** The part that a shell which splits words at colons keeps on the line, and does not expect again. */
const splitOff = (typed: string): string => typed.slice(0, typed.lastIndexOf(':') + 1);

const namedThings: readonly string[] = ['node', 'model', 'key', 'cluster'] satisfies NamedThing[];

const isNamed = (text: string | undefined): text is NamedThing => text !== undefined && namedThings.includes(text);

function namedArgument(argument: Argument | undefined): NamedThing | undefined {
  const name = argument?.name();
  return isNamed(name) ? name : undefined;
}

/** By the placeholder of its value: `--node <node>`. `--key` takes the key itself, which nobody can look up. */
function namedBy(option: Option | undefined): NamedThing | undefined {
  const name = /<(\w+)>/.exec(option?.flags ?? '')?.[1];
  return isNamed(name) && name !== 'key' ? name : undefined;
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
