/**
 * Runs one command of `ferry` in this process, against a real relay: for what it prints and what it does there. Exit status, signals, stdin,
 * terminals, and commands that start or lock something, are for the program itself (`ferry` of ferry-process.ts), which takes 0.2 to 0.5 s of
 * processor time a start.
 */
import { createTerminal } from '../../../src/cli/core/output/terminal.js';
import { runCli } from '../../../src/cli/program.js';
import { environment, type CommandResult } from './ferry-process.js';

export async function ferryHere(
  args: readonly string[],
  own: Readonly<Record<string, string | undefined>> = {},
): Promise<CommandResult> {
  let [stdout, stderr] = ['', ''];
  const env = environment(own);
  const terminal = createTerminal(
    { write: (text: string) => (stdout += text) },
    { write: (text: string) => (stderr += text) },
    env,
  );
  const code = await runCli(args, { terminal, env });
  return { code, stdout, stderr };
}
