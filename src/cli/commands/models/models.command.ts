import { InvalidArgumentError, type Command } from 'commander';
import { invocationOf, type Cli } from '../../invocation.js';
import type { TargetOptions } from './change-models.js';
import { registerJobs } from './jobs.command.js';

/** `ferry models`: the models on the account's computers and their operations. */
export function registerModels(program: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listModels } = await import('./list-models.js');
    await listModels(invocationOf(cli, command));
  };
  const models = program
    .command('models')
    .description('list models with their state per cluster, and manage them')
    .action(list);
  models.command('list').alias('ls').description('list the models').action(list);
  models
    .command('ps')
    .description('list loaded, loading and unloading models per node')
    .action(async (_options: unknown, command: Command) => {
      const { listResident } = await import('./list-resident.js');
      await listResident(invocationOf(cli, command));
    });
  registerChanges(models, cli);
  registerJobs(models, cli);
}

/** Each is followed until its end; after Ctrl-C the node continues it. */
function registerChanges(models: Command, cli: Cli): void {
  changing(models, 'install')
    .argument('<source>', 'in the engine’s own terms: qwen3:8b, hf:owner/repo/file.gguf, an https URL')
    .option('--load', 'load it afterwards, even if this command has ended')
    .description('install a model on a node')
    .action(async (source: string, options: TargetOptions & { load?: true }, command: Command) => {
      const { installModel } = await import('./change-models.js');
      await installModel(invocationOf(cli, command), source, options);
    });
  changing(models, 'load')
    .argument('<model>', 'id, selector, or the node’s own key')
    .option('--context <tokens>', 'context length to load it with', parseTokens)
    .description('load a model into memory')
    .action(async (model: string, options: TargetOptions & { context?: number }, command: Command) => {
      const { loadModel } = await import('./change-models.js');
      await loadModel(invocationOf(cli, command), model, options);
    });
  changing(models, 'unload')
    .argument('<model>', 'id, selector, or the node’s own key')
    .description('unload a model from memory; it stays installed')
    .action(async (model: string, options: TargetOptions, command: Command) => {
      const { unloadModel } = await import('./change-models.js');
      await unloadModel(invocationOf(cli, command), model, options);
    });
  changing(models, 'remove')
    .alias('rm')
    .argument('<model>', 'id, selector, or the node’s own key')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete a model from a node')
    .action(async (model: string, options: TargetOptions & { yes?: true }, command: Command) => {
      const { removeModel } = await import('./change-models.js');
      await removeModel(invocationOf(cli, command), model, options);
    });
}

const changing = (models: Command, name: string): Command =>
  models
    .command(name)
    .option('--node <node>', 'id or name of the node, where several are possible')
    .option('--engine <engine>', 'engine on the node, where several are possible')
    .option('--detach', 'do not wait; the id of the job is printed');

function parseTokens(text: string): number {
  const tokens = Number(text);
  if (!Number.isInteger(tokens) || tokens < 1) throw new InvalidArgumentError('must be a whole number of tokens');
  return tokens;
}
