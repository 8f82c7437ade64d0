import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry status`: whether commands would work, and why not. */
export function registerStatus(program: Command, cli: Cli): void {
  program
    .command('status')
    .description('show the relay and account that commands use, and where each value comes from')
    .action(async (_options: unknown, command: Command) => {
      const { showStatus } = await import('./show-status.js');
      await showStatus(invocationOf(cli, command));
    });
}
