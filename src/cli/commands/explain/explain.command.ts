import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry explain`: the routing decision of a request. */
export function registerExplain(program: Command, cli: Cli): void {
  program
    .command('explain')
    .argument('[request]', 'id of the request, or its beginning: x-request-id of its response (default: the latest)')
    .description(
      'show how a request was routed, what was predicted and how it ended; --wide: what the predicted times are made of',
    )
    .action(lazyAction(cli, async () => (await import('./explain-request.js')).explainRequest));
}
