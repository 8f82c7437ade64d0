import type { Command } from 'commander';
import { parsePort } from '../../core/args/parse-port.js';
import { lazyAction, type Cli } from '../../invocation.js';

const moreHelp = `
Relay and node run as two processes below this one; each is restarted when it dies, and neither takes the other down.
Their logs are in <data directory>/logs.

With --json, one line of JSON is printed when everything is ready, and nothing else:
  {"base_url","openai_base_url","anthropic_base_url","network_urls","api_key","console_url","cluster_id","node_id",
   "model","data_dir"}
OpenAI clients take openai_base_url, which ends in /v1; Anthropic clients take anthropic_base_url. base_url is the relay's address,
without /v1; network_urls are those for other computers, none where only this one reaches it. console_url signs the owner
in on the website, once, within 15 minutes; ferry up again makes another one.

Without --data-dir and --json, ferry up also signs this user's ferry commands in. Where it runs already, it says so and ends with 0;
with another --host or --port it changes nothing and ends with 1.
`;

const configHelp = `
Reads the environment of this shell and the settings file (--config, FERRY_CONFIG_FILE, or ferry.toml in the data
directory), as relay and node would. Ends with 2 when one of them would not start, and names every mistake.
docs/operate/configuration.md says what each setting is, and --wide shows it here.
`;

/** `ferry up`: relay, node and built-in engine on this computer with one command. */
export function registerUp(program: Command, cli: Cli): void {
  program
    .command('up')
    .option('--host <address>', 'address to listen on (FERRY_HOST; default: as the last time, at first 127.0.0.1)')
    .option(
      '--port <number>',
      'port to listen on, 0 for a free one (FERRY_PORT; default: as the last time, at first 8787)',
      parsePort,
    )
    .option('--detach', 'go on in the background, until ferry down or a restart of this computer')
    .option('--qr', 'also show the link of the website as a QR code, where another device can open it')
    .description('start relay and node on this computer and print address, key and model; Ctrl-C stops both')
    .addHelpText('after', moreHelp)
    .action(lazyAction(cli, async () => (await import('../up/up.js')).up));
  program
    .command('down')
    .description('stop what ferry up has started on this computer; running answers may finish, and all data stays')
    .action(lazyAction(cli, async () => (await import('../up/stop-running.js')).stopRunning));
}

/** `ferry serve` and `ferry config`: the relay itself. */
export function registerRelay(program: Command, cli: Cli): void {
  program
    .command('serve')
    .option('--host <address>', 'address to listen on (FERRY_HOST, default 127.0.0.1)')
    .option('--port <number>', 'port to listen on, 0 for a free one (FERRY_PORT, default 8787)', parsePort)
    .description('run the relay until stopped; other settings are in the environment or ferry.toml: ferry config')
    .action(lazyAction(cli, async () => (await import('./relay.js')).serve));
  program
    .command('config')
    .option('--changed', 'only settings that a flag, the environment or the file sets')
    .description('check and show the settings of relay and node: effective value, source and meaning')
    .addHelpText('after', configHelp)
    .action(lazyAction(cli, async () => (await import('../config/show-config.js')).showConfig));
}
