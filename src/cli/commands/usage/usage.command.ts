import { Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { UsageOptions } from './show-usage.js';

/** `ferry usage`: usage by model, key or node. */
export function registerUsage(program: Command, cli: Cli): void {
  program
    .command('usage')
    .option('--since <time>', 'start: 7d, 24h, or a date (default: 7d)')
    .option('--until <time>', 'end: a date')
    .addOption(
      new Option('--by <dimension>', 'group by')
        .choices(['model', 'node', 'key', 'cluster', 'dialect', 'hour'])
        .default('model'),
    )
    .option('--cluster <cluster>', 'only this cluster: its id or name')
    .option('--csv', 'print CSV')
    .description('show requests and tokens by model, node, key, cluster, dialect or hour')
    .action(async (options: UsageOptions, command: Command) => {
      const { showUsage } = await import('./show-usage.js');
      await showUsage(invocationOf(cli, command), options);
    });
}
