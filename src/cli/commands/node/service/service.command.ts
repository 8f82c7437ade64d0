import type { Command } from 'commander';
import { parseCount } from '../../../core/args/parse-count.js';
import { invocationOf, lazyAction, type Cli } from '../../../invocation.js';

const DEFAULT_LINES = 100;

/** `ferry node service`: the node of this computer, started with it. */
export function addServiceCommands(node: Command, cli: Cli): void {
  const service = node.command('service').description('run the node as a service of this user');
  service
    .command('install')
    .description('install and start the service: systemd on Linux, launchd on macOS; no root is needed')
    .action(async (_options: unknown, command: Command) => {
      const { installService } = await import('./manage-service.js');
      await installService(invocationOf(cli, command), node.name() === 'node' ? ['node', 'run'] : ['run']);
    });
  service
    .command('uninstall')
    .description('stop and remove the service; this computer stays a node')
    .action(lazyAction(cli, async () => (await import('./manage-service.js')).uninstallService));
  service
    .command('status')
    .description('show whether the service runs; exit code 5 when it is not installed')
    .action(lazyAction(cli, async () => (await import('./manage-service.js')).showService));
  service
    .command('logs')
    .option('-n, --lines <count>', 'number of lines', parseCount, DEFAULT_LINES)
    .option('-f, --follow', 'follow until Ctrl-C')
    .description('print the log of the service')
    .action(lazyAction(cli, async () => (await import('./manage-service.js')).showServiceLogs));
}
