import type { Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';

/** `ferry profiles`: sign-ins to several relays, or as several people, side by side. */
export function registerProfiles(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listProfiles } = await import('./manage-profiles.js');
    await listProfiles(invocationOf(cli, command));
  };
  const profiles = program.command('profiles').description('manage several sign-ins on this computer').action(list);
  profiles.command('list').alias('ls').description('list the profiles').action(list);
  profiles
    .command('use')
    .argument('<name>', 'profile that commands use from now on')
    .description('set the profile for all commands; --profile and FERRY_PROFILE set it for one')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { useProfile } = await import('./manage-profiles.js');
      await useProfile(invocationOf(cli, command), name);
    });
  profiles
    .command('remove')
    .alias('rm')
    .argument('<name>', 'profile to delete')
    .description('delete a profile; its token stays valid until ferry logout')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { forgetProfile } = await import('./manage-profiles.js');
      await forgetProfile(invocationOf(cli, command), name);
    });
}
