import type { Cli } from './invocation.js';
import { COMPLETE } from './commands/completion/shell-scripts.js';
import { exitCodes } from './core/errors/exit-codes.js';
import { createTerminal } from './core/output/terminal.js';
import { createProgram } from './program.js';
import { runProgram } from './run-program.js';

export { wantsJson } from './run-program.js';

/** The whole of `ferry`. Resolves to the exit code; failures are shown, never thrown. */
export async function runCli(
  argv: readonly string[],
  cli: Cli = { terminal: createTerminal(process.stdout, process.stderr, process.env), env: process.env },
): Promise<number> {
  const program = createProgram(cli);
  // Not a command of the tree: the words that follow are unfinished, and must not be parsed.
  if (argv[0] === COMPLETE) {
    const { complete } = await import('./commands/completion/complete.js');
    for (const { word, description } of complete(program, argv.slice(2))) {
      cli.terminal.print(`${word}\t${description}`);
    }
    return exitCodes.ok;
  }
  return runProgram(program, argv, cli);
}
