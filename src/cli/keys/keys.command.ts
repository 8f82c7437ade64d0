import type { Command } from 'commander';
import { invocationOf, type Cli } from '../invocation.js';

/** `ferry keys`: the API keys that applications use. */
export function registerKeys(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('API keys for your applications');
  keys
    .command('create')
    .argument('<name>', 'what the key is for, such as the application')
    .description('create a key; it is printed once, alone on stdout, so that $(ferry keys create NAME) works')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { createKey } = await import('./manage-keys.js');
      await createKey(invocationOf(cli, command), name);
    });
  keys
    .command('list')
    .alias('ls')
    .description('list the keys of the account (never the secrets)')
    .action(async (_options: unknown, command: Command) => {
      const { listKeys } = await import('./manage-keys.js');
      await listKeys(invocationOf(cli, command));
    });
  keys
    .command('revoke')
    .argument('<key>', 'id or name of the key')
    .description('revoke a key; requests that use it end within seconds')
    .action(async (key: string, _options: unknown, command: Command) => {
      const { revokeKey } = await import('./manage-keys.js');
      await revokeKey(invocationOf(cli, command), key);
    });
}
