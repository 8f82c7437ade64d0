import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry explain`: the routing decision of a request. */
export function registerExplain(program: Command, cli: Cli): void {
  program
    .command('explain')
    .argument(
      '[request]',
      'id of the request (x-request-id of its response), a part of it, or a row of ferry requests (default: the latest)',
    )
    .option('--last <count>', 'the latest ones, newest first; with --json a list of them', parseCount)
    .description(
      'show how a request was routed, what was predicted and how it ended; --wide: what the predicted times are made of',
    )
    .action(lazyAction(cli, async () => (await import('./explain-request.js')).explainRequest));
}
