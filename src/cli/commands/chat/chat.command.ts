import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { ChatOptions } from './chat.js';

/** `ferry chat`: a conversation with a model, or one answer. */
export function registerChat(program: Command, cli: Cli): void {
  program
    .command('chat')
    .argument('[prompt...]', 'prompt; without it, a conversation on a terminal, else stdin is the prompt')
    .option('-m, --model <model>', 'id or selector of the model (default: the only one that is loaded)')
    .option('--system <text>', 'system prompt')
    .option('--cluster <cluster>', 'only this cluster: its id')
    .option('--max-tokens <count>', 'limit of the response, in tokens', parseCount)
    .option('--reasoning', 'show reasoning, too, on stderr')
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .description('chat with a model; the response streams to stdout, Ctrl-C ends it')
    .action(async (words: string[], options: ChatOptions, command: Command) => {
      const { chat } = await import('./chat.js');
      await chat(invocationOf(cli, command), words.join(' '), options);
    });
}
