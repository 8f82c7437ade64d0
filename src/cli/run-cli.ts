import { CommanderError } from 'commander';
import { classifyFailure } from './failure/classify-failure.js';
import { exitCodes } from './failure/exit-codes.js';
import { renderFailure, renderFailureJson } from './failure/render-failure.js';
import type { Cli } from './invocation.js';
import { createTerminal } from './output/terminal.js';
import { createProgram } from './program.js';

/** Runs one command line (without `node` and the script). Resolves to the exit code; failures are shown, never thrown. */
export async function runCli(
  argv: readonly string[],
  cli: Cli = { terminal: createTerminal(process.stdout, process.stderr, process.env), env: process.env },
): Promise<number> {
  const program = createProgram(cli);
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
    const failure = classifyFailure(thrown);
    cli.terminal.note(wantsJson(argv) ? renderFailureJson(failure) : renderFailure(failure, cli.terminal.stderrColors));
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
