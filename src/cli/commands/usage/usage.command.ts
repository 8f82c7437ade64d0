import { Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { UsageOptions } from './show-usage.js';

/** `ferry usage`: who used what. */
export function registerUsage(program: Command, cli: Cli): void {
  program
    .command('usage')
    .option('--since <time>', 'from then on: 7d, 24h, or a date (default: 7d)')
    .option('--until <time>', 'before then: a date')
    .addOption(
      new Option('--by <dimension>', 'what to add up by')
        .choices(['model', 'node', 'key', 'cluster', 'dialect', 'hour'])
        .default('model'),
    )
    .option('--cluster <cluster>', 'only this cluster: its id or name')
    .option('--csv', 'as CSV')
    .description('requests and tokens by model, node, key, cluster, dialect or hour')
    .action(async (options: UsageOptions, command: Command) => {
      const { showUsage } = await import('./show-usage.js');
      await showUsage(invocationOf(cli, command), options);
    });
}
