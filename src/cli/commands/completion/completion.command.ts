import { Argument, type Command } from 'commander';
import type { Cli } from '../../invocation.js';
import { shells, type CompletionShell } from './shell-scripts.js';

/** `ferry completion`: the completion script of a shell. */
export function registerCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .description('print a completion script: eval "$(ferry completion bash)"')
    .action(async (shell: CompletionShell) => {
      const { completionScripts } = await import('./shell-scripts.js');
      cli.terminal.print(completionScripts[shell]);
    });
}
