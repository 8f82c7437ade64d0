import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry profiles`: sign-ins to several relays, or as several people, side by side. */
export function registerProfiles(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listProfiles } = await import('./manage-profiles.js');
    await listProfiles(invocationOf(cli, command));
  };
  const profiles = program.command('profiles').description('sign-ins of this computer, side by side').action(list);
  profiles.command('list').alias('ls').description('the same list').action(list);
  profiles
    .command('use')
    .argument('<name>', 'profile that commands use from now on')
    .description('choose a profile; --profile and FERRY_PROFILE choose one for a single command')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { useProfile } = await import('./manage-profiles.js');
      await useProfile(invocationOf(cli, command), name);
    });
  profiles
    .command('remove')
    .alias('rm')
    .argument('<name>', 'profile to forget')
    .description('forget a profile and its sign-in')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { forgetProfile } = await import('./manage-profiles.js');
      await forgetProfile(invocationOf(cli, command), name);
    });
}
