import type { Command } from 'commander';
import { invocationOf, type Cli } from '../invocation.js';

/** `ferry models`: what the account's computers have, and what of it is loaded. */
export function registerModels(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listModels } = await import('./list-models.js');
    await listModels(invocationOf(cli, command));
  };
  const models = program
    .command('models')
    .description('the models on the account’s computers, with their state per cluster')
    .action(list);
  models.command('list').alias('ls').description('the same list').action(list);
}
