import { Argument, Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { EnvOptions } from './print-env.js';
import { tools, type Tool } from './tool-setup.js';

/** `ferry env`: settings for other programs. */
export function registerEnv(program: Command, cli: Cli): void {
  program
    .command('env')
    .addArgument(new Argument('[tool]', 'client to configure').choices(tools).default('openai'))
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .option('-m, --model <model>', 'model to use (default: the first loaded one)')
    .addOption(new Option('--shell <shell>', 'syntax of the lines').choices(['sh', 'fish', 'powershell']).default('sh'))
    .description('print shell lines or a configuration file for a client: eval "$(ferry env openai)"')
    .action(async (tool: Tool, options: EnvOptions, command: Command) => {
      const { printEnv } = await import('./print-env.js');
      await printEnv(invocationOf(cli, command), tool, options);
    });
}
