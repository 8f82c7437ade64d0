import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry top`: a live view of nodes and running requests. */
export function registerTop(program: Command, cli: Cli): void {
  program
    .command('top')
    .option('--once', 'print one frame and end, also into a pipe')
    .description('watch nodes, loaded models and running requests live; q ends it')
    .action(lazyAction(cli, async () => (await import('./top.js')).top));
}
