import { Argument, type Command } from 'commander';
import { parseCount } from '../../core/args/parse-count.js';
import { parsePort } from '../../core/args/parse-port.js';
import { invocationOf, type Cli } from '../../invocation.js';
import type { InstallFlags, ListensOn } from './install-service.js';
import { serviceNames, type ServiceName } from './service-programs.js';

const DEFAULT_LINES = 100;

interface LogFlags {
  readonly lines: number;
  readonly follow?: true;
}

const moreHelp = `
up is relay and node on this computer, serve the relay alone, node this computer as a node of a relay elsewhere.
The service takes its settings from the environment of this command: FERRY_…, DATABASE_URL, proxies, HF_TOKEN.
With --system on Linux its data is in /var/lib/ferry, unless --data-dir says otherwise. Without it, where it is without a service.
`;

/** `ferry service`: what runs in the background, and starts with this computer. */
export function registerService(program: Command, cli: Cli, listensOn: ListensOn): void {
  const service = program.command('service').description('run Ferry in the background, started with this computer');
  withScope(service.command('install'))
    .addArgument(new Argument('[program]', 'what to run').choices(serviceNames).default('up'))
    .option('--host <address>', 'of up and serve: address to listen on (FERRY_HOST, default 127.0.0.1)')
    .option('--port <number>', 'of up and serve: port to listen on (FERRY_PORT, default 8787)', parsePort)
    .description('install and start the service: systemd on Linux, launchd on macOS')
    .addHelpText('after', moreHelp)
    .action(async (name: ServiceName, flags: InstallFlags, command: Command) => {
      const { installService } = await import('./install-service.js');
      await installService(invocationOf(cli, command), name, flags, { listensOn });
    });
  service
    .command('status')
    .addArgument(anyProgram())
    .description('show what is installed and whether it runs; exit code 5 when nothing is, 1 when one does not run')
    .action(async (name: ServiceName | undefined, _options: unknown, command: Command) => {
      const { listServices } = await import('./manage-service.js');
      await listServices(invocationOf(cli, command), chosen(name));
    });
  service
    .command('uninstall')
    .addArgument(anyProgram())
    .description('stop and remove the service; its data stays')
    .action(async (name: ServiceName | undefined, _options: unknown, command: Command) => {
      const { uninstallService } = await import('./manage-service.js');
      await uninstallService(invocationOf(cli, command), chosen(name));
    });
  withLogFlags(service.command('logs').addArgument(anyProgram())).action(
    async (name: ServiceName | undefined, flags: LogFlags, command: Command) => {
      const { showServiceLogs } = await import('./manage-service.js');
      await showServiceLogs(invocationOf(cli, command), chosen(name), flags);
    },
  );
}

/** `ferry node service` and `ferry-node service`: the node alone. */
export function addNodeServiceCommands(node: Command, cli: Cli): void {
  const service = node.command('service').description('run the node in the background, started with this computer');
  withScope(service.command('install'))
    .description('install and start the service: systemd on Linux, launchd on macOS')
    .action(async (flags: InstallFlags, command: Command) => {
      const { installService } = await import('./install-service.js');
      // The program that is nothing but a node has its commands one word earlier.
      const words = node.name() === 'node' ? undefined : ['run'];
      await installService(invocationOf(cli, command), 'node', flags, { words });
    });
  service
    .command('uninstall')
    .description('stop and remove the service; this computer stays a node')
    .action(async (_options: unknown, command: Command) => {
      const { uninstallService } = await import('./manage-service.js');
      await uninstallService(invocationOf(cli, command), ['node']);
    });
  service
    .command('status')
    .description('show whether the service runs; exit code 5 when it is not installed')
    .action(async (_options: unknown, command: Command) => {
      const { showService } = await import('./manage-service.js');
      await showService(invocationOf(cli, command), 'node');
    });
  withLogFlags(service.command('logs')).action(async (flags: LogFlags, command: Command) => {
    const { showServiceLogs } = await import('./manage-service.js');
    await showServiceLogs(invocationOf(cli, command), ['node'], flags);
  });
}

const anyProgram = (): Argument =>
  new Argument('[program]', 'one of them, where several are installed').choices(serviceNames);

const chosen = (name: ServiceName | undefined): readonly ServiceName[] => (name === undefined ? serviceNames : [name]);

const withScope = (install: Command): Command =>
  install
    .option('--system', 'a service of the system, installed by root, instead of one of this user')
    .option('--user <name>', 'with --system: the user that it runs as (default: the one who called sudo)');

const withLogFlags = (logs: Command): Command =>
  logs
    .option('-n, --lines <count>', 'number of lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'follow until Ctrl-C')
    .description('print the log of the service');
