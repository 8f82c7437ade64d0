import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { ChatOptions } from './chat.js';

/** `ferry chat`: a conversation with a model, or one answer. */
export function registerChat(program: Command, cli: Cli): void {
  program
    .command('chat')
    .argument('[prompt...]', 'what to ask; without it a conversation begins, or stdin is asked')
    .option('-m, --model <model>', 'id or selector of the model (default: the only one that is loaded)')
    .option('--system <text>', 'instructions that go ahead of the conversation')
    .option('--cluster <cluster>', 'only this cluster: its id')
    .option('--max-tokens <count>', 'longest answer, in tokens', parseCount)
    .option('--reasoning', 'show what the model thinks, too: on stderr')
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .description('talk to a model; the answer streams to stdout, Ctrl-C ends it')
    .action(async (words: string[], options: ChatOptions, command: Command) => {
      const { chat } = await import('./chat.js');
      await chat(invocationOf(cli, command), words.join(' '), options);
    });
}
