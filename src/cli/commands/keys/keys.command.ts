import { Option, type Command } from 'commander';
import { parseLimit } from '../../core/args/parse-count.js';
import { parseUntil } from '../../core/args/parse-time.js';
import { lazyAction, type Cli } from '../../invocation.js';

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
  const list = lazyAction(cli, async () => (await import('./manage-keys.js')).listKeys);
  const keys = program.command('keys').description('list the API keys, and manage them').action(list);
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
    .action(lazyAction(cli, async () => (await import('./manage-keys.js')).rollKey));
  keys
    .command('revoke')
    .argument('<key>', 'id or name of the key')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('revoke a key; its running requests end within seconds')
    .action(lazyAction(cli, async () => (await import('./manage-keys.js')).revokeKey));
}

function registerCreate(keys: Command, cli: Cli): void {
  limited(keys.command('create'))
    .argument('<name>', 'name of the key, such as the application')
    .option('--description <text>', 'what the key is for, in up to 200 characters')
    .option('--scope <scopes>', 'inference, models:read, embeddings, rerank (default: inference)', collect)
    .option('--cluster <cluster>', 'only this cluster: its id or name; may be repeated (default: all)', collect)
    .option('--expires <time>', 'expiry: 90d, or a date (default: never)', parseUntil)
    .option('--save', 'store it in the profile for ferry chat and ferry env')
    .description('create a key; it is printed once, alone on stdout, so that $(ferry keys create NAME) works')
    .action(lazyAction(cli, async () => (await import('./manage-keys.js')).createKey));
}

function registerUpdate(keys: Command, cli: Cli): void {
  limited(keys.command('update'))
    .argument('<key>', 'id or name of the key')
    .option('--name <name>', 'its new name')
    .option('--description <text>', 'its new description; an empty one removes it')
    .description('change the name, the description or the limits of a key')
    .action(lazyAction(cli, async () => (await import('./manage-keys.js')).updateKey));
}

const limited = (command: Command): Command =>
  command
    .option('--rpm <count>', 'limit of requests per minute, or none', parseLimit)
    .option('--tpm <count>', 'limit of tokens per minute, or none', parseLimit)
    .option('--concurrency <count>', 'limit of concurrent requests, or none', parseLimit);
