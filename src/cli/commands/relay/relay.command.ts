import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import { parsePort } from './parse-port.js';

/** `ferry serve` and `ferry config`: the relay itself. */
export function registerRelay(program: Command, cli: Cli): void {
  program
    .command('serve')
    .option('--host <address>', 'address to listen on (FERRY_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for a free one (FERRY_PORT, default 8787)', parsePort)
    .description('run the relay until stopped; other settings are environment variables: ferry config')
    .action(async (flags: { host?: string; port?: string }, command: Command) => {
      const { serve } = await import('./serve.js');
      await serve(invocationOf(cli, command), flags);
    });
  program
    .command('config')
    .description('show the relay’s settings: effective value, source and meaning')
    .action(async (_options: unknown, command: Command) => {
      const { showConfig } = await import('./show-config.js');
      await showConfig(invocationOf(cli, command));
    });
}
