import { Argument, Option, type Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';
import { tools } from './tool-setup.js';

/** `ferry chat`: a conversation with a model, or one answer. */
export function registerChat(program: Command, cli: Cli): void {
  program
    .command('chat')
    .argument('[prompt...]', 'prompt; without it, a conversation on a terminal, else stdin is the prompt')
    .option('-m, --model <model>', 'name of the model, or a part of it (default: the only one that is loaded)')
    .option('--system <text>', 'system prompt')
    .option('--cluster <cluster>', 'only this cluster: its id or name, or a part of it')
    .option('--max-tokens <count>', 'limit of the response, in tokens', parseCount)
    .option('--reasoning', 'show reasoning, too, on stderr')
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .description('chat with a model; the response streams to stdout, Ctrl-C ends it')
    .action(lazyAction(cli, async () => (await import('../chat/chat.js')).chat));
}

/** `ferry env`: settings for other programs. */
export function registerEnv(program: Command, cli: Cli): void {
  program
    .command('env')
    .addArgument(new Argument('[tool]', 'client to configure').choices(tools).default('openai'))
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .option('-m, --model <model>', 'model to use (default: the first loaded one)')
    .addOption(new Option('--shell <shell>', 'syntax of the lines').choices(['sh', 'fish', 'powershell']).default('sh'))
    .description('print shell lines or a configuration file for a client: eval "$(ferry env openai)"')
    .action(lazyAction(cli, async () => (await import('./print-env.js')).printEnv));
}
