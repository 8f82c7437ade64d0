import { CommanderError, type Command } from 'commander';
import { similarName } from '../kernel/similar-name.js';
import { classifyFailure } from './core/errors/classify-failure.js';
import { CliError } from './core/errors/cli-error.js';
import { CommandEnded } from './core/errors/command-ended.js';
import { exitCodes } from './core/errors/exit-codes.js';
import { renderFailure, renderFailureJson } from './core/output/render-failure.js';
import type { Cli } from './invocation.js';

/** The deepest command that the words of a command line name, and the first word after it. */
function findCommand(
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

/** Something that the command needs is missing, so its help follows. */
const INCOMPLETE = ['commander.missingArgument', 'commander.missingMandatoryOptionValue'];

/** No error is a dead end. */
const withHelp = ({ code, exitCode, message, requestId, cause }: CliError, help: string): CliError =>
  new CliError(code, exitCode, message, { hint: help, requestId, cause });

/** A word that is no command, in a group that does nothing by itself, and in one such as `ferry models`, which takes it for an argument. */
const UNKNOWN = ['commander.unknownCommand', 'commander.excessArguments'];

/** Runs one command line (without `node` and the script). Resolves to the exit code; failures are shown, never thrown. */
export async function runProgram(program: Command, argv: readonly string[], { terminal }: Cli): Promise<number> {
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return exitCodes.usage;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCodes.ok;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode === 0) return exitCodes.ok;
      // A group such as `ferry node` without a command: its help is already on stderr.
      if (thrown.code === 'commander.help') return exitCodes.usage;
    }
    if (thrown instanceof CommandEnded) return thrown.exitCode;
    const help = `${pathOf(findCommand(program, argv).command)} --help`;
    const failure = unknownSubcommand(thrown, program, argv) ?? classifyFailure(thrown, help);
    const json = wantsJson(argv);
    const advised = failure.hint === undefined ? withHelp(failure, help) : failure;
    terminal.note(json ? renderFailureJson(advised) : renderFailure(advised, terminal.stderrColors));
    if (!json && thrown instanceof CommanderError && INCOMPLETE.includes(thrown.code)) {
      terminal.note('');
      findCommand(program, argv).command.outputHelp({ error: true });
    }
    return failure.exitCode;
  }
}

function unknownSubcommand(thrown: unknown, program: Command, argv: readonly string[]): CliError | undefined {
  if (!(thrown instanceof CommanderError) || !UNKNOWN.includes(thrown.code)) return undefined;
  const { command, next } = findCommand(program, argv);
  if (command.commands.length === 0 || next === undefined) return undefined;
  const names = command.commands.map((child) => child.name());
  // The beginning of one name is that one: `sta` is `status`, not `stop`.
  const [begun, ...others] = names.filter((name) => name.startsWith(next));
  const guess = begun !== undefined && others.length === 0 ? begun : similarName(next, names);
  return new CliError('usage', exitCodes.usage, `unknown command '${next}'`, {
    hint: guess === undefined ? `${pathOf(command)} --help` : `Did you mean ${guess}?`,
    cause: thrown,
  });
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** Read from the bare words, because a command line that does not parse must be answered in JSON as well. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.some(
    (word, index) =>
      word === '--json' || word === '--output=json' || (word === '--output' && options[index + 1] === 'json'),
  );
}
