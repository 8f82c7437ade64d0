import { InvalidArgumentError, type Command } from 'commander';
import { invocationOf, lazyAction, type Cli } from '../../invocation.js';
import type { ListedJobs } from './jobs.js';

/** `ferry models`: the models on the account's computers and their operations. */
export function registerModels(program: Command, cli: Cli): void {
  const list = lazyAction(cli, async () => (await import('./list-models.js')).listModels);
  const models = program
    .command('models')
    .description('list models with their state per cluster, and manage them')
    .action(list);
  models.command('list').alias('ls').description('list the models').action(list);
  showing(models.command('show'), cli);
  models
    .command('search')
    .argument('<words...>', 'words of its name')
    .description('search Hugging Face for models to install')
    .action(lazyAction(cli, async () => (await import('./list-models.js')).searchModels));
  models
    .command('starters')
    .argument('<node>', 'id or name of the node')
    .description('list well-known models to begin with, with the size and expected speed on a node')
    .action(lazyAction(cli, async () => (await import('./list-starters.js')).listStarters));
  residents(models.command('ps'), cli);
  registerChanges(models, cli);
  registerJobs(models, cli);
}

function registerChanges(models: Command, cli: Cli): void {
  installing(models.command('install'), cli);
  targeted(models.command('load'))
    .argument('<model>', A_MODEL)
    .option('--context <tokens>', 'context length to load it with', parseTokens)
    .description('load a model into memory')
    .action(lazyAction(cli, async () => (await import('./change-models.js')).loadModel));
  targeted(models.command('unload'))
    .argument('<model>', A_MODEL)
    .description('unload a model from memory; it stays installed')
    .action(lazyAction(cli, async () => (await import('./change-models.js')).unloadModel));
  removing(models.command('remove').alias('rm'), cli);
}

const A_MODEL = 'name of the model, a part of it, or the node’s own key';

/** `ferry models show`, also as `ferry show`. */
export const showing = (command: Command, cli: Cli): Command =>
  command
    .argument('<model>', 'name of the model, or a part of it')
    .description('show a model and where it is')
    .action(lazyAction(cli, async () => (await import('./show-model.js')).showModel));

/** `ferry models ps`, also as `ferry ps`. */
export const residents = (command: Command, cli: Cli): Command =>
  command
    .description('list loaded, loading and unloading models per node')
    .action(lazyAction(cli, async () => (await import('./list-resident.js')).listResident));

/** `ferry models install`, also as `ferry pull`. */
export const installing = (command: Command, cli: Cli): Command =>
  targeted(command)
    .argument('<source>', 'qwen3:8b, hf:owner/repo, hf:owner/repo:Q4_K_M, a .gguf file of this computer, an https URL')
    .option('--load', 'load it afterwards, even if this command has ended')
    .description('install a model on a node')
    .action(lazyAction(cli, async () => (await import('./change-models.js')).installModel));

/** `ferry models remove`, also as `ferry rm`. */
export const removing = (command: Command, cli: Cli): Command =>
  targeted(command)
    .argument('<model>', 'name of the model, or the node’s own key')
    .option('-y, --yes', 'do not ask for confirmation')
    .description('delete a model from a node')
    .action(lazyAction(cli, async () => (await import('./change-models.js')).removeModel));

/** Options of an operation that is followed until its end; after Ctrl-C the node continues it. */
export const targeted = (command: Command): Command =>
  command
    .option('--node <node>', 'name of the node, or a part of it, where several are possible')
    .option('--engine <engine>', 'engine on the node, where several are possible: its name or kind, such as ollama')
    .option('--detach', 'do not wait; the id of the job is printed');

function parseTokens(text: string): number {
  const tokens = Number(text);
  if (!Number.isInteger(tokens) || tokens < 1) throw new InvalidArgumentError('a whole number of tokens');
  return tokens;
}

const listing = (command: Command): Command =>
  command
    .option('--all', 'also finished ones')
    .option('--failed', 'only those that failed within a week, and were neither dismissed nor tried again')
    .description('list running installs, loads, unloads and removals');

/** `ferry models jobs`: the operations of the nodes, which outlive the command that started them. */
function registerJobs(models: Command, cli: Cli): void {
  const list = async (_options: unknown, command: Command): Promise<void> => {
    const { listJobs } = await import('./jobs.js');
    // Reads the options of the group as well: commander stores them there when both define them.
    await listJobs(invocationOf(cli, command), command.optsWithGlobals<ListedJobs>());
  };
  const jobs = listing(models.command('jobs')).action(list);
  listing(jobs.command('list').alias('ls')).action(list);
  jobs
    .command('watch')
    .argument('<job>', 'id of the job, or a part of it')
    .description('show the progress of a job until it ends')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).watchJob));
  jobs
    .command('cancel')
    .argument('<job>', 'id of the job, or a part of it')
    .description('cancel a job')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).cancelJob));
  jobs
    .command('retry')
    .argument('<job>', 'id of the job, or a part of it')
    .description('start a failed job again, with the same parameters')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).retryJob));
  jobs
    .command('dismiss')
    .argument('<job>', 'id of the job, or a part of it')
    .description('say that a failed job needs no attention any more')
    .action(lazyAction(cli, async () => (await import('./jobs.js')).dismissJob));
}
