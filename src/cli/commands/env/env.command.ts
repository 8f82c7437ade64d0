import { Argument, Option, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { EnvOptions } from './print-env.js';
import { tools, type Tool } from './tool-setup.js';

/** `ferry env`: what other programs need to use the relay. */
export function registerEnv(program: Command, cli: Cli): void {
  program
    .command('env')
    .addArgument(new Argument('[tool]', 'program to set up').choices(tools).default('openai'))
    .option('--key <key>', 'API key (default: FERRY_API_KEY, then the profile’s)')
    .option('-m, --model <model>', 'model to name (default: the first that is loaded)')
    .addOption(new Option('--shell <shell>', 'whose lines').choices(['sh', 'fish', 'powershell']).default('sh'))
    .description('ready shell lines or a configuration file, with base URL and key: eval "$(ferry env openai)"')
    .action(async (tool: Tool, options: EnvOptions, command: Command) => {
      const { printEnv } = await import('./print-env.js');
      await printEnv(invocationOf(cli, command), tool, options);
    });
}
