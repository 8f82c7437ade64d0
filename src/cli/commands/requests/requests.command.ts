import { Option, type Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry requests`: the request log. */
export function registerRequests(program: Command, cli: Cli): void {
  program
    .command('requests')
    .option('-f, --follow', 'show requests as they end, until Ctrl-C')
    .option('-m, --model <model>', 'only this model: its id or selector')
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
    .option('--wide', 'whole ids on a terminal, too')
    .description('list requests with tokens, speed and times, newest first; ferry explain ID says more')
    .action(lazyAction(cli, async () => (await import('./show-requests.js')).showRequests));
}

/** `ferry explain`: the routing decision of a request. */
export function registerExplain(program: Command, cli: Cli): void {
  program
    .command('explain')
    .argument('[request]', 'id of the request, or its beginning: x-request-id of its response (default: the latest)')
    .option('--wide', 'also what the predicted times are made of')
    .description('show how a request was routed, what was predicted and how it ended')
    .action(lazyAction(cli, async () => (await import('../explain/explain-request.js')).explainRequest));
}
