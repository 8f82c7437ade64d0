import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry explain`: the routing decision of a request. */
export function registerExplain(program: Command, cli: Cli): void {
  program
    .command('explain')
    .argument('<request>', 'id of the request: x-request-id of its response')
    .description('show how a request was routed and how it ended')
    .action(async (request: string, _options: unknown, command: Command) => {
      const { explainRequest } = await import('./explain-request.js');
      await explainRequest(invocationOf(cli, command), request);
    });
}
