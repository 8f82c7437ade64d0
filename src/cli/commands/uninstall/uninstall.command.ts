import type { Command } from 'commander';
import { lazyAction, type Cli } from '../../invocation.js';
import type { UninstallScope } from './installed-parts.js';

/** `ferry uninstall`, and the same of a computer that is nothing but a node. */
export function registerUninstall(parent: Command, cli: Cli, scope: UninstallScope): void {
  const what = scope === 'node' ? 'the node' : 'what Ferry has put on this computer';
  parent
    .command('uninstall')
    .option('--data', 'also delete its data: accounts, keys, identity, models, logs')
    .option('-y, --yes', 'do not ask for confirmation')
    .description(`show and remove ${what}: services, files of the program${scope === 'node' ? '' : ', sign-ins'}`)
    .action(
      lazyAction(cli, async () => {
        const { uninstall } = await import('./uninstall.js');
        return (invocation, flags) => uninstall(invocation, flags, scope);
      }),
    );
}
