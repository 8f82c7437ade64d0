import { Argument, type Command } from 'commander';
import { extensionNames } from '../../../kernel/extension.js';
import { lazyAction, type Cli } from '../../invocation.js';

/** `ferry extensions`: what the public API of the account has beyond the contract. */
export function registerExtensions(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./manage-extensions.js')).listExtensions);
  const extensions = program
    .command('extensions')
    .description('list extensions of the public API, and switch them on or off for the account')
    .action(list);
  extensions
    .command('list')
    .alias('ls')
    .description('list the extensions, and which programs gain from each')
    .action(list);
  for (const verb of ['on', 'off'] as const) {
    extensions
      .command(verb)
      .addArgument(new Argument('<extension...>', 'what to switch').choices(extensionNames))
      .description(`switch extensions ${verb} for the account, without a restart; needs the role owner`)
      .action(
        lazyAction(cli, async () => {
          const { switchExtensions } = await import('./manage-extensions.js');
          return (invocation, names: readonly string[]) => switchExtensions(invocation, names, verb === 'on');
        }),
      );
  }
  extensions
    .command('reset')
    .addArgument(new Argument('<extension...>', 'what to reset').choices(extensionNames))
    .description('have the relay’s default (FERRY_EXTENSIONS) decide again; needs the role owner')
    .action(
      lazyAction(cli, async () => {
        const { switchExtensions } = await import('./manage-extensions.js');
        return (invocation, names: readonly string[]) => switchExtensions(invocation, names, null);
      }),
    );
}
