import type { Command } from 'commander';
import { lazyAction, type Cli, type Invocation } from '../../invocation.js';
import type { TargetOptions } from '../models/change-models.js';
import { installing, removing, residents, showing, targeted } from '../models/models.command.js';

export const SHORT_FORMS = 'Short forms, and names that other programs use:';

/** The longer command that each one stands for; undefined: it has none. */
export const shortForms: Readonly<Record<string, string | undefined>> = {
  list: 'models list',
  show: 'models show',
  ps: 'models ps',
  pull: 'models install',
  rm: 'models remove',
  stop: undefined,
  version: undefined,
  update: undefined,
};

/** Commands that people bring along from Ollama, LM Studio or Docker. */
export function registerShortForms(program: Command, cli: Cli): void {
  program
    .command('list')
    .alias('ls')
    .description('list the models')
    .action(lazyAction(cli, async () => (await import('../models/list-models.js')).listModels));
  showing(program.command('show'), cli);
  residents(program.command('ps'), cli);
  installing(program.command('pull'), cli);
  removing(program.command('rm'), cli);
  targeted(program.command('stop'))
    .argument('[model]', 'name of the model to unload, or a part of it')
    .description('unload a model; without one, the same as ferry down')
    .action(lazyAction(cli, () => Promise.resolve(stop)));
  program
    .command('version')
    .description('print the version of Ferry and of what runs it')
    .action(lazyAction(cli, async () => (await import('./version.js')).showVersion));
  program
    .command('update')
    .description('say how this installation of Ferry is updated')
    .action(lazyAction(cli, async () => (await import('./version.js')).refuseUpdate));
}

/** Ollama's `stop` unloads a model, Docker's stops the program. */
async function stop(invocation: Invocation, model: string | undefined, options: TargetOptions): Promise<void> {
  if (model === undefined) {
    const { stopRunning } = await import('../up/stop-running.js');
    await stopRunning(invocation);
    return;
  }
  const { unloadModel } = await import('../models/change-models.js');
  await unloadModel(invocation, model, options);
}
