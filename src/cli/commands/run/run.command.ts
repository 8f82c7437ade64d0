import type { Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry run`: from the name of a model to a chat with it. */
export function registerRun(program: Command, cli: Cli): void {
  program
    .command('run')
    .argument(
      '<model>',
      'name of a model, or a part of it; hf:owner/repo, hf:owner/repo:Q4_K_M, a .gguf file, an https URL',
    )
    .argument('[prompt...]', 'prompt; without it, a conversation on a terminal, else stdin is the prompt')
    .option('--node <node>', 'name of the node, or a part of it (default: where it is loaded, else where it fits)')
    .option('--engine <engine>', 'engine that installs it, where several could: its name or kind, such as ollama')
    .option('--system <text>', 'system prompt')
    .option('--max-tokens <count>', 'limit of the response, in tokens', parseCount)
    .option('--reasoning', 'show reasoning, too, on stderr')
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .description('find a model, install and load it where it fits, and chat with it')
    .action(lazyAction(cli, async () => (await import('./run.js')).run));
}
