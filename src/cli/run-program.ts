import { CommanderError, type Command } from 'commander';
import { classifyFailure } from './core/errors/classify-failure.js';
import { CommandEnded } from './core/errors/command-ended.js';
import { exitCodes } from './core/errors/exit-codes.js';
import { renderFailure, renderFailureJson } from './core/output/render-failure.js';
import type { Cli } from './invocation.js';

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
      // A group such as `ferry keys` without a command: its help is already on stderr.
      if (thrown.code === 'commander.help') return exitCodes.usage;
    }
    if (thrown instanceof CommandEnded) return thrown.exitCode;
    const failure = classifyFailure(thrown);
    terminal.note(wantsJson(argv) ? renderFailureJson(failure) : renderFailure(failure, terminal.stderrColors));
    return failure.exitCode;
  }
}

/** Read from the bare words, because a command line that does not parse must be answered in JSON as well. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.some(
    (word, index) =>
      word === '--json' || word === '--output=json' || (word === '--output' && options[index + 1] === 'json'),
  );
}
