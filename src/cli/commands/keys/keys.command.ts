import { Option, type Command } from 'commander';
import { parseLimit } from '../../core/args/parse-count.js';
import { parseUntil } from '../../core/args/parse-time.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { CreateOptions, UpdateOptions } from './manage-keys.js';

/** For options that may be repeated or take a comma-separated list. */
const collect = (text: string, earlier: readonly string[] = []): readonly string[] => [
  ...earlier,
  ...text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== ''),
];

/** `ferry keys`: the API keys that applications use. */
export function registerKeys(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listKeys } = await import('./manage-keys.js');
    await listKeys(invocationOf(cli, command));
  };
  const keys = program.command('keys').description('manage API keys');
  keys.command('list').alias('ls').description('list keys, without their secrets').action(list);
  registerCreate(keys, cli);
  registerUpdate(keys, cli);
  keys
    .command('roll')
    .argument('<key>', 'id or name of the key')
    .addOption(
      new Option('--overlap <time>', 'how long the old key keeps working')
        .choices(['0', '1h', '24h', '7d'])
        .default('24h'),
    )
    .description('replace a key by a new one, which is printed once, alone on stdout')
    .action(async (key: string, { overlap }: { overlap: string }, command: Command) => {
      const { rollKey } = await import('./manage-keys.js');
      await rollKey(invocationOf(cli, command), key, overlap);
    });
  keys
    .command('revoke')
    .argument('<key>', 'id or name of the key')
    .description('revoke a key; its running requests end within seconds')
    .action(async (key: string, _options: unknown, command: Command) => {
      const { revokeKey } = await import('./manage-keys.js');
      await revokeKey(invocationOf(cli, command), key);
    });
}

function registerCreate(keys: Command, cli: Cli): void {
  limited(keys.command('create'))
    .argument('<name>', 'name of the key, such as the application')
    .option('--description <text>', 'what the key is for, in up to 200 characters')
    .option('--scope <scopes>', 'inference, models:read (default: inference)', collect)
    .option('--cluster <cluster>', 'only this cluster: its id or name; may be repeated (default: all)', collect)
    .option('--expires <time>', 'expiry: 90d, or a date (default: never)', parseUntil)
    .option('--save', 'store it in the profile for ferry chat and ferry env')
    .description('create a key; it is printed once, alone on stdout, so that $(ferry keys create NAME) works')
    .action(async (name: string, options: CreateOptions, command: Command) => {
      const { createKey } = await import('./manage-keys.js');
      await createKey(invocationOf(cli, command), name, options);
    });
}

function registerUpdate(keys: Command, cli: Cli): void {
  limited(keys.command('update'))
    .argument('<key>', 'id or name of the key')
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'its new description; an empty one removes it')
    .description('change the name, the description or the limits of a key')
    .action(async (key: string, options: UpdateOptions, command: Command) => {
      const { updateKey } = await import('./manage-keys.js');
      await updateKey(invocationOf(cli, command), key, options);
    });
}

const limited = (command: Command): Command =>
  command
    .option('--rpm <count>', 'limit of requests per minute, or none', parseLimit)
    .option('--tpm <count>', 'limit of tokens per minute, or none', parseLimit)
    .option('--concurrency <count>', 'limit of concurrent requests, or none', parseLimit);
