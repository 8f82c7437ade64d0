import { Option, type Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry requests`: the request log. */
export function registerRequests(program: Command, cli: Cli): void {
  program
    .command('requests')
    .option('-f, --follow', 'show requests as they end, until Ctrl-C')
    .option('-m, --model <model>', 'only this model: its name, or a part of it')
    .option('--key <key>', 'only this API key: its id or name')
    .option('--node <node>', 'only this node: its id or name')
    .addOption(
      new Option('--outcome <outcome>', 'only requests that ended like this').choices([
        'completed',
        'failed',
        'cancelled',
        'timed_out',
        'rejected',
      ]),
    )
    .option('--since <time>', 'start: 7d, 24h, or a date')
    .option('--limit <count>', 'at most this many, the newest', parseCount, 20)
    .description('list requests with tokens, speed and times, newest first; ferry explain says more about one')
    .action(lazyAction(cli, async () => (await import('./show-requests.js')).showRequests));
}
